--------------------- MODULE producer_reads_uncommitted ---------------------
\* A fault in transactional_producer.tla: who reads does not stop at the last stable offset.
\* Caught by OnlyCommittedIsRead.
EXTENDS transactional_producer

AllButAborted(p, i) == MarkerAfter(p, i) = 0 \/ log[p][MarkerAfter(p, i)].kind = "commit"
=============================================================================
