----------------------- MODULE producer_decides_again -----------------------
\* A fault in transactional_producer.tla: a transaction that is being ended may time out, too.
\* Caught by DecidedOnce, NoOlderEpoch, OnlyCommittedIsRead and CommittedIsRead.
EXTENDS transactional_producer

Anytime == coordinator.stage = "Ongoing" \/ (coordinator.stage = "Ending" /\ coordinator.epoch < 2)
=============================================================================
