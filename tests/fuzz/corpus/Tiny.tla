---- MODULE Tiny ----
EXTENDS Naturals, Sequences, FiniteSets, TLC
CONSTANTS Size, Nodes
VARIABLES queue, seen
vars == <<queue, seen>>
Init == queue = <<>> /\ seen = [n \in Nodes |-> {}]
Send(n) == /\ Len(queue) < Size
           /\ queue' = Append(queue, [from |-> n, at |-> Len(queue) + 1])
           /\ UNCHANGED seen
Take == \E n \in Nodes : /\ queue # <<>>
                         /\ seen' = [seen EXCEPT ![n] = @ \union {Head(queue).at}]
                         /\ queue' = Tail(queue)
Next == Take \/ \E n \in Nodes : Send(n)
Spec == Init /\ [][Next]_vars /\ WF_vars(Take)
Bounded == Len(queue) <= Size /\ Cardinality(DOMAIN seen) = 2
Chosen == LET s == CHOOSE x \in {1, 2} : x > 1 IN IF s = 2 THEN "a" ELSE "b"
Gets == [](queue # <<>> => <>(queue = <<>>))
====
