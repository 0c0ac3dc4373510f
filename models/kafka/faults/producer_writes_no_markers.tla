--------------------- MODULE producer_writes_no_markers ---------------------
\* A fault in transactional_producer.tla: the coordinator decides, but no markers are written, so it is never done.
\* Caught by EveryoneGetsAnEpoch, NothingStaysOpen and CommittedIsRead.
EXTENDS transactional_producer

NoneOf(partitions) == {}
=============================================================================
