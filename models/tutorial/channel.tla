------------------------------ MODULE channel ------------------------------
(* Two messages over a channel that loses: each is repeated until its acknowledgement arrives, and a bit that
   alternates tells a repeated message from a new one. docs/tutorial/tla.md explains it; the other files here say the
   same. *)
EXTENDS Naturals

CONSTANT N              \* messages

VARIABLES
    sent,               \* messages that the sender knows to have arrived
    delivered,          \* messages that the receiver has handed on
    network             \* what is on its way: at most one message, and one acknowledgement

vars == <<sent, delivered, network>>

Data(bit) == [type |-> "data", from |-> "sender", to |-> "receiver", bit |-> bit]
Ack(bit) == [type |-> "ack", from |-> "receiver", to |-> "sender", bit |-> bit]
Free(to) == \A m \in network : m.to # to

Init ==
    /\ sent = 0
    /\ delivered = 0
    /\ network = {}

Send ==
    /\ sent < N
    /\ Free("receiver")
    /\ network' = network \cup {Data(sent % 2)}
    /\ UNCHANGED <<sent, delivered>>

IsNew(m) == m.bit = delivered % 2

Receive(m) ==
    /\ m.to = "receiver"
    /\ Free("sender")
    /\ delivered' = IF IsNew(m) THEN delivered + 1 ELSE delivered
    /\ network' = (network \ {m}) \cup {Ack(m.bit)}
    /\ UNCHANGED sent

IsMine(m) == sent < N /\ m.bit = sent % 2

Acknowledge(m) ==
    /\ m.to = "sender"
    /\ sent' = IF IsMine(m) THEN sent + 1 ELSE sent
    /\ network' = network \ {m}
    /\ UNCHANGED delivered

Lose(m) ==
    /\ network' = network \ {m}
    /\ UNCHANGED <<sent, delivered>>

Finished == sent = N

Next ==
    \/ Send
    \/ \E m \in network : Receive(m) \/ Acknowledge(m) \/ Lose(m)
    \/ Finished /\ UNCHANGED vars

(* What can be sent is sent. What could arrive again and again does arrive: the channel may not lose everything. *)
Arrive == \E m \in network : Receive(m)
Return == \E m \in network : Acknowledge(m)

Fair == WF_vars(Send) /\ SF_vars(Arrive) /\ SF_vars(Return)

Spec == Init /\ [][Next]_vars /\ Fair

Once == delivered <= sent + 1
Arrived == sent <= delivered
Finishes == <>Finished
=============================================================================
