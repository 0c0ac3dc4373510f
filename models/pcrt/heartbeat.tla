----------------------------- MODULE heartbeat ------------------------------
(***************************************************************************)
(* The heartbeat protocol of PCRT, message by message: flood notifications *)
(* and their ACKs, ACK lists and timers, link tests and theirs. Messages   *)
(* can be lost and overtake each other. What it is after, and where the    *)
(* text had to be read one way or the other, is said in pcrt.tla.          *)
(*                                                                         *)
(* What is left out, and why nothing is missed:                            *)
(* * Time. A dead interval may be over whenever the link is down, and the  *)
(*   timer of an ACK at any moment (Early), or when neither notification   *)
(*   nor ACK are on their way any more. dead_interval.xml has the times.   *)
(* * Regular heartbeats carry nothing; that one was heard on an interface  *)
(*   in the state failure is a step (HearOnFailed), possible while the     *)
(*   link works. A dead interval that is over because four heartbeats in a *)
(*   row were lost is a link that is down for that time, for one end.      *)
(* * Copies of a message that are on their way at once are one.            *)
(* * The three states of an interface follow from what it holds (State).   *)
(*   The text has a link test ACK set it to normal, and says that it is    *)
(*   normal only if the ACK list is empty; here it is then waiting.        *)
(***************************************************************************)
EXTENDS pcrt

CONSTANTS
    Losses,     \* how many messages are lost on links that work, at most, or Any number
    Any,        \* a model value
    Early,      \* can the timer of an ACK run out while notification or ACK are still on their way?
    Tests       \* what is answered by a link test on a failed interface: "each" message, or the "first"

VARIABLES
    messages,   \* by sender and receiver: what is on its way, in no order
    tested,     \* by broker: its failed links that a test was sent on, where that is asked
    losses      \* how many messages were lost, where that is counted

vars == <<up, mute, changes, own, colour, known, heard, doubted, unacked, messages, tested, losses>>

State(b, n) ==
    CASE {b, n} \in own[b] -> "failure"
      [] unacked[b][n] # {} -> "waiting"
      [] OTHER -> "normal"

-----------------------------------------------------------------------------
\* Messages; what is sent on a link that is down is lost.

Message(type, note) ==
    [type |-> type, origin |-> note.origin, number |-> Number(note.seq), seq |-> note.seq, failed |-> note.failed]
Flood(note) == Message("flood", note)
Ack(note) == Message("ack", note)
Note(m) == [origin |-> m.origin, seq |-> m.seq, failed |-> m.failed]
Test == [type |-> "test"]
TestAck == [type |-> "test ack"]

\* b tells all of `some`: each copy is listed, and sent where the link works.
Listed(b, some, note) == [n \in Neighbours(b) |-> IF n \in some THEN unacked[b][n] \cup {note} ELSE unacked[b][n]]

Sent(b, some, note) ==
    [n \in Neighbours(b) |-> IF n \in some /\ Works(b, n) THEN messages[b][n] \cup {Flood(note)} ELSE messages[b][n]]

\* b takes m, which n has sent; and answers.
Take(b, n, m) == messages' = [messages EXCEPT ![n][b] = @ \ {m}]
Answer(b, n, m, answer) == messages' = [messages EXCEPT ![n][b] = @ \ {m}, ![b][n] = @ \cup {answer}]

SameLosses == UNCHANGED losses
SameNetwork == SameLinks /\ SameLosses /\ UNCHANGED tested
SameBrokers == SameBeliefs /\ UNCHANGED unacked

-----------------------------------------------------------------------------
LinkDown(l) ==
    /\ Fails(l)
    /\ messages' = [b \in Brokers |-> [n \in Neighbours(b) |-> IF {b, n} = l THEN {} ELSE messages[b][n]]]
    /\ SameBrokers
    /\ UNCHANGED <<tested, losses>>

LinkUp(l) ==
    /\ Heals(l)
    /\ SameBrokers
    /\ UNCHANGED <<messages, tested, losses>>

Lose(b, n, m) ==
    /\ IF Losses = Any THEN TRUE ELSE losses < Losses
    /\ messages' = [messages EXCEPT ![b][n] = @ \ {m}]
    /\ losses' = IF Losses = Any THEN 0 ELSE losses + 1
    /\ SameLinks /\ SameBrokers
    /\ UNCHANGED tested

\* The dead interval has passed.
DetectFailure(b, n) ==
    LET failed == own[b] \cup {{b, n}}
        note == Announcement(b, {b, n}, failed)
    IN  /\ ~Works(b, n)
        /\ {b, n} \notin own[b]
        /\ Switch(b, {b, n}, failed, note)
        /\ unacked' = [unacked EXCEPT ![b] = Listed(b, Told(b, failed), note)]
        /\ messages' = [messages EXCEPT ![b] = Sent(b, Told(b, failed), note)]
        /\ SameNetwork

\* A heartbeat, or anything else, has come in on an interface in the state failure.
HearOnFailed(b, n) ==
    /\ Works(b, n)
    /\ {b, n} \in own[b]
    /\ {b, n} \notin tested[b]
    /\ messages' = [messages EXCEPT ![b][n] = @ \cup {Test}]
    /\ tested' = IF Tests = "first" THEN [tested EXCEPT ![b] = @ \cup {{b, n}}] ELSE tested
    /\ SameBrokers /\ SameLinks
    /\ UNCHANGED losses

\* The same on an interface that is in doubt.
Trust(b, n) ==
    /\ Trusts(b, n)
    /\ UNCHANGED <<unacked, messages>>
    /\ SameNetwork

ReceiveTest(b, n) ==
    /\ Test \in messages[n][b]
    /\ Answer(b, n, Test, TestAck)
    /\ SameBrokers /\ SameNetwork

\* A test that was answered; on an interface that is in the state failure, the link has recovered.
ReceiveTestAck(b, n) ==
    LET failed == own[b] \ {{b, n}}
        note == Announcement(b, {b, n}, failed)
    IN  /\ TestAck \in messages[n][b]
        /\ tested' = [tested EXCEPT ![b] = @ \ {{b, n}}]
        /\ IF {b, n} \in own[b]
           THEN /\ Switch(b, {b, n}, failed, note)
                /\ unacked' = [unacked EXCEPT ![b] = Listed(b, Told(b, failed), note)]
                /\ messages' = [messages EXCEPT ![n][b] = @ \ {TestAck}, ![b] = Sent(b, Told(b, failed), note)]
           ELSE Take(b, n, TestAck) /\ SameBrokers
        /\ SameLinks /\ SameLosses

ReceiveFlood(b, n, note) ==
    LET others == Told(b, own[b]) \ {n}
        sent == [Sent(b, others, note) EXCEPT ![n] = @ \cup {Ack(note)}]
    IN  /\ IF News(b, note)
           THEN /\ Act(b, n, note)
                /\ unacked' = [unacked EXCEPT ![b] = Listed(b, others, note)]
                /\ messages' = [messages EXCEPT ![n][b] = @ \ {Flood(note)}, ![b] = sent]
           ELSE Answer(b, n, Flood(note), Ack(note)) /\ SameBrokers
        /\ SameNetwork

\* Is this what the ACK of `note` takes off the list?
Matches(listed, note) == listed = note

ReceiveAck(b, n, note) ==
    /\ unacked' = [unacked EXCEPT ![b][n] = {listed \in @ : ~Matches(listed, note)}]
    /\ Take(b, n, Ack(note))
    /\ SameBeliefs /\ SameNetwork

\* The timer of the ACK has run out.
Resend(b, n, note) ==
    /\ Works(b, n)
    /\ Early \/ (Flood(note) \notin messages[b][n] /\ Ack(note) \notin messages[n][b])
    /\ messages' = [messages EXCEPT ![b][n] = @ \cup {Flood(note)}]
    /\ SameBrokers /\ SameNetwork

AnyFlood(b, n) == \E m \in messages[n][b] : m.type = "flood" /\ ReceiveFlood(b, n, Note(m))
AnyAck(b, n) == \E m \in messages[n][b] : m.type = "ack" /\ ReceiveAck(b, n, Note(m))
AnyResend(b, n) == \E note \in unacked[b][n] : Resend(b, n, note)
AnyLoss(b, n) == \E m \in messages[b][n] : Lose(b, n, m)

-----------------------------------------------------------------------------
Init ==
    /\ Start
    /\ messages = [b \in Brokers |-> [n \in Neighbours(b) |-> {}]]
    /\ tested = [b \in Brokers |-> {}]
    /\ losses = 0

Next ==
    \/ \E l \in Flaky : LinkDown(l) \/ LinkUp(l)
    \/ \E b \in Brokers : \E n \in Neighbours(b) :
        \/ DetectFailure(b, n)
        \/ HearOnFailed(b, n)
        \/ Trust(b, n)
        \/ ReceiveTest(b, n)
        \/ ReceiveTestAck(b, n)
        \/ AnyFlood(b, n)
        \/ AnyAck(b, n)
        \/ AnyResend(b, n)
        \/ AnyLoss(b, n)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
\* Fairness: timers run out, heartbeats are heard on links that work, and what is sent again and again arrives.

Timers ==
    \A b \in Brokers : \A n \in Neighbours(b) :
        /\ WF_vars(DetectFailure(b, n)) /\ WF_vars(AnyResend(b, n))
        /\ WF_vars(HearOnFailed(b, n)) /\ WF_vars(Trust(b, n))

FairSpec ==
    /\ Spec
    /\ Timers
    /\ \A b \in Brokers : \A n \in Neighbours(b) :
        /\ SF_vars(ReceiveTest(b, n))
        /\ SF_vars(ReceiveTestAck(b, n))
        /\ SF_vars(AnyFlood(b, n))
        /\ SF_vars(AnyAck(b, n))

\* VIOLATED: all that is sent may be lost, each time.
WeakSpec ==
    /\ Spec
    /\ Timers
    /\ \A b \in Brokers : \A n \in Neighbours(b) :
        /\ WF_vars(ReceiveTest(b, n))
        /\ WF_vars(ReceiveTestAck(b, n))
        /\ WF_vars(AnyFlood(b, n))
        /\ WF_vars(AnyAck(b, n))

\* VIOLATED: nothing is sent again.
NoResendSpec ==
    /\ Spec
    /\ \A b \in Brokers : \A n \in Neighbours(b) :
        /\ WF_vars(DetectFailure(b, n)) /\ WF_vars(HearOnFailed(b, n)) /\ WF_vars(Trust(b, n))
        /\ SF_vars(ReceiveTest(b, n))
        /\ SF_vars(ReceiveTestAck(b, n))
        /\ SF_vars(AnyFlood(b, n))
        /\ SF_vars(AnyAck(b, n))

-----------------------------------------------------------------------------
\* This implements flooding.tla: what its lists hold is here what is listed and would be acted on.

Useful == [x \in Brokers |-> [y \in Neighbours(x) |-> {note \in unacked[x][y] : News(y, note)}]]

Abstract == INSTANCE flooding WITH unacked <- Useful, reboots <- 0, Reboots <- 0, OneWay <- {}

IsFlooding == Abstract!FairSpec
=============================================================================
