-------------------- MODULE producer_marks_one_partition --------------------
\* A fault in transactional_producer.tla: the markers of a transaction go to one of its partitions.
\* Caught by CommittedIsRead and NothingStaysOpen.
EXTENDS transactional_producer

OneOf(partitions) == IF partitions = {} THEN {} ELSE {CHOOSE p \in partitions : TRUE}
=============================================================================
