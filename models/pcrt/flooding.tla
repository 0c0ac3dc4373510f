------------------------------ MODULE flooding ------------------------------
(***************************************************************************)
(* What PCRT's heartbeat protocol comes to when messages, timers and link  *)
(* tests are left out: heartbeat.tla has them, and implements this.        *)
(*                                                                         *)
(* A notification in an ACK list is sent again and again, so while it is   *)
(* there and the link works it may arrive, whatever else was lost or came  *)
(* earlier. One that its receiver would not act on is left out of the      *)
(* lists: received once more, sent once more, its ACK received or lost, it *)
(* changes no broker's mind, now or later. That is so where numbers do not *)
(* wrap, or are compared serially and less than half the circle apart.     *)
(* Where they wrap and are compared plainly, and after a reboot, what is   *)
(* found here can happen, and more can.                                    *)
(* An interface whose link works again recovers, by a link test that gets  *)
(* through; one whose link is down fails, when the dead interval is over,  *)
(* or not if the link is back before. So one end of a link may notice a    *)
(* short failure that the other does not, which is what a false alarm is.  *)
(***************************************************************************)
EXTENDS pcrt

CONSTANTS
    Reboots,    \* how often a broker starts again, at most
    OneWay      \* the links that may also fail in one direction

VARIABLE
    reboots     \* how often one did

vars == <<up, mute, changes, own, colour, known, heard, doubted, unacked, reboots>>

Running == UNCHANGED reboots

\* The lists once b, told by n (itself, if it knows first), knows `note`: nobody has to tell it any more, nor anything
\* older, and it has to tell `some`.
Lists(b, n, note, some) ==
    [x \in Brokers |-> [y \in Neighbours(x) |->
        CASE y = b -> {e \in unacked[x][b] : e.origin # note.origin \/ Newer(e.seq, note.seq)}
          [] x = b /\ y \in some \ {n} /\ News(y, note) -> unacked[b][y] \cup {note}
          [] OTHER -> unacked[x][y]]]

-----------------------------------------------------------------------------
LinkDown(l) == Fails(l) /\ SameBeliefs /\ Running /\ UNCHANGED unacked

LinkUp(l) == Heals(l) /\ SameBeliefs /\ Running /\ UNCHANGED unacked

Directions(now) ==
    /\ changes < Changes
    /\ changes' = changes + 1
    /\ mute' = now
    /\ UNCHANGED up

\* n does not hear b any more, though b hears n.
Mute(b, n) ==
    /\ {b, n} \in OneWay
    /\ <<b, n>> \notin mute
    /\ Directions(mute \cup {<<b, n>>})
    /\ SameBeliefs /\ Running /\ UNCHANGED unacked

Unmute(b, n) ==
    /\ {b, n} \in OneWay
    /\ <<b, n>> \in mute
    /\ Directions(mute \ {<<b, n>>})
    /\ SameBeliefs /\ Running /\ UNCHANGED unacked

Confirm(b, l, failed) ==
    LET note == Announcement(b, l, failed)
    IN  /\ Switch(b, l, failed, note)
        /\ unacked' = Lists(b, b, note, Told(b, failed))

DetectFailure(b, n) ==
    /\ ~Hears(b, n)
    /\ {b, n} \notin own[b]
    /\ Confirm(b, {b, n}, own[b] \cup {{b, n}})
    /\ SameLinks /\ Running

Recover(b, n) ==
    /\ Works(b, n)
    /\ {b, n} \in own[b]
    /\ Confirm(b, {b, n}, own[b] \ {{b, n}})
    /\ SameLinks /\ Running

Deliver(b, n, note) ==
    /\ Hears(b, n)
    /\ Act(b, n, note)
    /\ unacked' = Lists(b, n, note, Told(b, own[b]))
    /\ SameLinks /\ Running

DeliverAny(b, n) == \E note \in unacked[n][b] : Deliver(b, n, note)

Trust(b, n) == Trusts(b, n) /\ SameLinks /\ Running /\ UNCHANGED unacked

\* b has forgotten all, faster than anybody notices.
Forgets(b) ==
    /\ own' = [own EXCEPT ![b] = {}]
    /\ doubted' = [doubted EXCEPT ![b] = {}]
    /\ colour' = [colour EXCEPT ![b] = {}]
    /\ known' = [known EXCEPT ![b] = [o \in Brokers |-> First]]
    /\ heard' = [heard EXCEPT ![b] = [o \in Brokers |-> {}]]
    /\ unacked' = [unacked EXCEPT ![b] = [n \in Neighbours(b) |-> {}]]

Reboot(b) ==
    /\ reboots < Reboots
    /\ reboots' = reboots + 1
    /\ Forgets(b) /\ SameLinks

-----------------------------------------------------------------------------
Init == Start /\ reboots = 0

Next ==
    \/ \E l \in Flaky : LinkDown(l) \/ LinkUp(l)
    \/ \E b \in Brokers :
        \/ Reboot(b)
        \/ \E n \in Neighbours(b) :
            \/ Mute(b, n) \/ Unmute(b, n)
            \/ DetectFailure(b, n) \/ Recover(b, n)
            \/ Trust(b, n) \/ DeliverAny(b, n)

Spec == Init /\ [][Next]_vars

FairSpec ==
    /\ Spec
    /\ \A b \in Brokers : \A n \in Neighbours(b) :
        /\ WF_vars(DetectFailure(b, n)) /\ WF_vars(Recover(b, n))
        /\ WF_vars(Trust(b, n)) /\ WF_vars(DeliverAny(b, n))

\* A constraint: no interface has two notifications to deliver, so that nothing can overtake anything.
NothingOvertakes == \A b \in Brokers : \A n \in Neighbours(b) : ~Hears(n, b) \/ Cardinality(unacked[b][n]) <= 1
=============================================================================
