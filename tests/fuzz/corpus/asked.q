// A comment.
A[] not deadlock
E<> A.busy && x > 1
A.idle --> B.busy
sup: n
A[] forall (i : int[0,1]) n <= \
  5
