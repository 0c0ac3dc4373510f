----------------------- MODULE producer_waits_for_all -----------------------
\* A fault in transactional_producer.tla: the coordinator waits for a marker on every partition, though it wrote them
\* to those of the transaction only.
\* Caught by EveryoneGetsAnEpoch.
EXTENDS transactional_producer

AllOf(partitions) == Partitions
=============================================================================
