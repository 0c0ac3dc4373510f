---------------------- MODULE producer_end_keeps_epoch ----------------------
\* A fault in transactional_producer.tla: the end of a transaction takes no new epoch, as in Kafka before KIP-890: a
\* record that comes late, after the abort marker, becomes part of the next transaction, or waits for a marker for
\* ever.
\* Caught by OnlyCommittedIsRead and NothingStaysOpen.
EXTENDS transactional_producer

SameEpoch(epoch) == epoch
=============================================================================
