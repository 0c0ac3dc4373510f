-------------------------------- MODULE pcrt --------------------------------
(***************************************************************************)
(* Brokers that switch between pre-calculated routing tables (PCRT): what  *)
(* heartbeat.tla and flooding.tla have in common, after sections 6.1.2,    *)
(* 6.1.3 and 6.2 of the thesis that docs/overlay.md is about, which has no *)
(* model of this protocol; docs/models/pcrt.md has what was found.         *)
(*                                                                         *)
(* A broker that confirms that a link of its own has failed or recovered   *)
(* looks up its new colour, increases its sequence number by one and       *)
(* floods a notification with its colour, its name and that number. Who    *)
(* receives one that is newer than the last of that origin acts on it and  *)
(* forwards it unchanged; old or new, it is acknowledged.                  *)
(*                                                                         *)
(* A colour and a set of failed links are looked up from each other, so    *)
(* here a colour is that set, and every set is a colour (but see Planned). *)
(*                                                                         *)
(* Where the text is silent, or says two things, and what is done here:    *)
(* * 6.1.2: who receives a colour looks up its links and adds "its own     *)
(*   knowledge of failure/failures". That is read as the links of its own  *)
(*   interfaces that are in the state failure. Read as all the failures    *)
(*   that it knows of (BelievedEverything), no recovery is ever believed.  *)
(* * 6.1.3 sends notifications "along all operational interfaces", and a   *)
(*   page later "even through the failure link (in case it recovers)". The *)
(*   latter; the former is the operator Operational.                       *)
(* * The pseudo-code tests CurrentC = 1, the colour without failures,      *)
(*   where it must mean the opposite, floods CurrentC before the new       *)
(*   colour is assigned to it, and its half about recovery is a copy of    *)
(*   that about failure. Meant, and done: the colour of the links known    *)
(*   before, with the failed link or without the recovered one; the table  *)
(*   of that colour; and that colour is flooded. A link whose failure is   *)
(*   known from the other end already is flooded once more, as printed.    *)
(* * Sequence numbers begin with 1, and after the largest comes 1 again.   *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
    Brokers,
    Links,          \* sets of two brokers
    Flaky,          \* the links that may fail
    Changes,        \* how often a link fails or recovers, at most
    AtOnce,         \* how many links are down at once, at most
    Flooding,       \* what notifications carry and who believes it: "colour", as in the thesis, or a repair, see below
    Comparison,     \* of sequence numbers: "plain", as in the thesis, or "serial"
    Modulus,        \* how many sequence numbers there are; 0 when they never wrap
    First           \* the sequence number that all brokers begin with

VARIABLES
    up,             \* the links that work
    mute,           \* pairs of brokers: what the first one sends the second one does not hear, though the link is up
    changes,        \* how often a link has failed or recovered
    own,            \* by broker: its own links whose interface is in the state failure
    colour,         \* by broker: its colour, as the set of links that it stands for
    known,          \* by broker and origin: the last notification acted on; of itself, the last one sent
    heard,          \* by broker and origin: what that one said, where it is kept
    doubted,        \* by broker: its own links that it doubts, because the other end says that they failed
    unacked         \* by broker and neighbour: the ACK list of the interface

links == <<up, mute, changes>>
beliefs == <<own, colour, known, heard, doubted>>

Neighbours(b) == {n \in Brokers : {b, n} \in Links}

LinksOf(b) == {l \in Links : b \in l}

\* b hears what n sends.
Hears(b, n) == {b, n} \in up /\ <<n, b>> \notin mute

Works(b, n) == Hears(b, n) /\ Hears(n, b)

-----------------------------------------------------------------------------
\* Sequence numbers. A notification has its true place in the order of its origin, `seq`; brokers see its number only.

Number(seq) == IF Modulus = 0 THEN seq ELSE ((seq - 1) % Modulus) + 1

\* RFC 1982: newer is what is less than half the circle ahead.
Ahead(s, t) == LET d == (Number(s) - Number(t)) % Modulus IN d > 0 /\ 2 * d < Modulus

Newer(s, t) == IF Comparison = "plain" THEN Number(s) > Number(t) ELSE Ahead(s, t)

\* Would b act on it?
News(b, note) == Newer(note.seq, known[b][note.origin])

-----------------------------------------------------------------------------
\* Colours. Other modules and configurations put other operators in the place of some of these.
\*
\* "colour": a notification carries all the failures that its origin knows of, and who receives it believes these and
\* its own failed links.
\* "strict": it carries the failed links of its origin. Of its own links a broker believes its own interfaces, of others
\* what their ends say.
\* "links": the same, but a broker that the other end of a link tells, by another way, that the link has failed, doubts
\* it until it hears anything on it.

\* What b floods when its own link l has changed and its own failed links are now `failed`.
Announcement(b, l, failed) ==
    [origin |-> b,
     seq |-> known[b][b] + 1,
     failed |-> CASE Flooding # "colour" -> failed
                  [] l \in failed -> colour[b] \cup {l}
                  [] OTHER -> colour[b] \ {l}]

\* What of a notification is kept.
Kept(note) == IF Flooding = "colour" THEN {} ELSE note.failed

\* The links that b doubts after `note`, which n has sent.
Doubts(b, n, note) ==
    LET l == {b, note.origin}
        told == Flooding = "links" /\ n # note.origin
    IN  IF told /\ l \in note.failed /\ l \notin own[b] THEN doubted[b] \cup {l} ELSE doubted[b] \ {l}

\* The colour of b, whose own failed or doubted links are `mine`, after `note`; `all` is what it has heard
\* of all origins.
Believed(b, mine, all, note) ==
    IF Flooding = "colour"
    THEN mine \cup note.failed
    ELSE mine \cup (UNION {all[o] : o \in Brokers} \ LinksOf(b))

\* The other reading of "its own knowledge".
BelievedEverything(b, mine, all, note) == mine \cup note.failed \cup colour[b]

\* Another repair: of its own links, too, it believes what both ends say.
BelievedOfBothEnds(b, mine, all, note) == mine \cup UNION {all[o] : o \in Brokers}

\* The interfaces that b floods through.
Told(b, failed) == Neighbours(b)

\* The other sentence of the thesis.
Operational(b, failed) == {n \in Neighbours(b) : {b, n} \notin failed}

-----------------------------------------------------------------------------
\* Parts of actions

Fails(l) ==
    /\ l \in up
    /\ changes < Changes
    /\ Cardinality(Links \ up) < AtOnce
    /\ up' = up \ {l}
    /\ changes' = changes + 1
    /\ UNCHANGED mute

Heals(l) ==
    /\ l \notin up
    /\ changes < Changes
    /\ up' = up \cup {l}
    /\ changes' = changes + 1
    /\ UNCHANGED mute

SameLinks == UNCHANGED links

SameBeliefs == UNCHANGED beliefs

\* b has confirmed a change of its link l, and now announces `note`.
Switch(b, l, failed, note) ==
    LET doubts == doubted[b] \ {l}
    IN  /\ own' = [own EXCEPT ![b] = failed]
        /\ doubted' = [doubted EXCEPT ![b] = doubts]
        /\ known' = [known EXCEPT ![b][b] = note.seq]
        /\ colour' = [colour EXCEPT ![b] =
                          IF Flooding = "colour" THEN note.failed ELSE Believed(b, failed \cup doubts, heard[b], note)]
        /\ UNCHANGED heard

\* b acts on a notification that n has sent.
Act(b, n, note) ==
    LET all == [heard[b] EXCEPT ![note.origin] = Kept(note)]
        doubts == Doubts(b, n, note)
    IN  /\ known' = [known EXCEPT ![b][note.origin] = note.seq]
        /\ heard' = [heard EXCEPT ![b] = all]
        /\ doubted' = [doubted EXCEPT ![b] = doubts]
        /\ colour' = [colour EXCEPT ![b] = Believed(b, own[b] \cup doubts, all, note)]
        /\ UNCHANGED own

\* b hears something on a link that it doubted.
Trusts(b, n) ==
    /\ Hears(b, n)
    /\ {b, n} \in doubted[b]
    /\ doubted' = [doubted EXCEPT ![b] = @ \ {{b, n}}]
    /\ colour' = [colour EXCEPT ![b] = @ \ {{b, n}}]
    /\ UNCHANGED <<own, known, heard>>

Start ==
    /\ up = Links
    /\ mute = {}
    /\ changes = 0
    /\ own = [b \in Brokers |-> {}]
    /\ colour = [b \in Brokers |-> {}]
    /\ known = [b \in Brokers |-> [o \in Brokers |-> First]]
    /\ heard = [b \in Brokers |-> [o \in Brokers |-> {}]]
    /\ doubted = [b \in Brokers |-> {}]
    /\ unacked = [b \in Brokers |-> [n \in Neighbours(b) |-> {}]]

-----------------------------------------------------------------------------
\* Properties

\* No broker acts on an older notification after a newer one of the same origin.
NoOlder == [][\A b, o \in Brokers : known'[b][o] >= known[b][o]]_known

\* No broker's colour names a link that it knows to be up: its own interface says so, and it has heard something there
\* since the other end said the opposite.
KnowsItsOwnLinks == \A b \in Brokers : colour[b] \cap LinksOf(b) \subseteq own[b] \cup doubted[b]

\* No broker needs a colour for more failures than there are at once.
Planned == \A b \in Brokers : Cardinality(colour[b]) <= AtOnce

RECURSIVE Reached(_, _)
Reached(found, working) ==
    LET more == found \cup {c \in Brokers : \E b \in found : {b, c} \in working}
    IN  IF more = found THEN found ELSE Reached(more, working)

Working == {l \in Links : \A b, n \in l : b = n \/ Hears(b, n)}

Component(b) == Reached({b}, Working)

\* The links with an end in a component: of others it may have heard nothing.
Near(component) == {l \in Links : l \cap component # {}}

Agreed ==
    \A b \in Brokers :
        /\ \A c \in Component(b) : colour[c] = colour[b]
        /\ colour[b] \cap Near(Component(b)) = Near(Component(b)) \ Working

\* Where nothing is left to do, all is well: Converges as far as an invariant can say it, with shortest counterexamples.
Settled ==
    \A b \in Brokers : \A n \in Neighbours(b) :
        /\ Hears(b, n) => unacked[n][b] = {}
        /\ Hears(b, n) \/ {b, n} \in own[b]
        /\ Works(b, n) => {b, n} \notin own[b]
        /\ Hears(b, n) => {b, n} \notin doubted[b]

SettledIsRight == Settled => Agreed

\* Links change only so often, so there is a last change; some time after it, all brokers of a component agree for good
\* on the colour that matches the links.
Converges == <>[]Agreed
=============================================================================
