--------------------- MODULE producer_init_keeps_epoch ----------------------
\* A fault in transactional_producer.tla: a new producer gets the epoch that the last one has.
\* Caught by OneWriterAnEpoch, OnlyCommittedIsRead and CommittedIsRead.
EXTENDS transactional_producer

SameEpoch(epoch) == IF epoch = -1 THEN 0 ELSE epoch
=============================================================================
