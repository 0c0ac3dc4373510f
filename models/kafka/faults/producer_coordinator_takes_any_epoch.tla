---------------- MODULE producer_coordinator_takes_any_epoch ----------------
\* A fault in transactional_producer.tla: the coordinator does not look at epochs, so a zombie takes part in the
\* transaction of its successor.
\* Caught by OnlyCommittedIsRead and CommittedIsRead.
EXTENDS transactional_producer

Always(epoch) == TRUE
=============================================================================
