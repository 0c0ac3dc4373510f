----------------- MODULE producer_partition_takes_any_epoch -----------------
\* A fault in transactional_producer.tla: a partition takes records of any epoch.
\* Caught by NoOlderEpoch, OnlyCommittedIsRead and NothingStaysOpen.
EXTENDS transactional_producer

Always(epoch, p) == TRUE
=============================================================================
