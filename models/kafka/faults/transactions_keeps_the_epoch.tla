-------------------- MODULE transactions_keeps_the_epoch --------------------
\* A fault in transactions.tla: a TID that asks again has the same epoch as before.
\* Caught by DistinctEpochs.
EXTENDS transactions

Same(metadata) == [metadata EXCEPT !.epoch = 0]
=============================================================================
