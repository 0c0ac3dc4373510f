----------------------- MODULE transactional_producer -----------------------
(***************************************************************************)
(* What a Kafka producer does once it has its producer id: transactions.   *)
(* The next part of the protocol that transactions.tla begins, in the same *)
(* style, and beyond what its paper has: fencing by epoch, adding          *)
(* partitions to a transaction, ending it with commit or abort markers,    *)
(* transactions that time out, producers that crash, and zombies:          *)
(* producers that come back after another one has taken their place.       *)
(*                                                                         *)
(* All producers here share one transactional id, so one producer id, and  *)
(* are told apart by their epochs alone. That transactional ids have ids   *)
(* of their own is DistinctPids of transactions.tla.                       *)
(*                                                                         *)
(* * A producer asks the coordinator for an epoch. If a transaction is     *)
(*   open, the coordinator aborts it first, and the producer asks again.   *)
(* * It adds a partition to its transaction (the first begins it), waits   *)
(*   for the answer, then writes a record there, without waiting.          *)
(* * It ends the transaction. To commit, all of its records must have been *)
(*   acknowledged; it may abort at any time, records being on their way.   *)
(* * The coordinator decides, takes the next epoch, answers, and has       *)
(*   markers written to all partitions of the transaction, in the new      *)
(*   epoch. Only when all are there may the next transaction begin.        *)
(* * A partition refuses what has an older epoch than it has seen, and     *)
(*   the coordinator what has another epoch than its own.                  *)
(* * Who reads committed records gets those that a commit marker follows,  *)
(*   and nothing after the first record that no marker follows (the last   *)
(*   stable offset).                                                       *)
(* The coordinator never fails: how it moves from broker to broker, and    *)
(* its log, are the subject of transactions.tla. Messages are unordered,   *)
(* delayed at will, neither lost nor duplicated.                           *)
(*                                                                         *)
(* That every end of a transaction takes a new epoch is what Kafka does    *)
(* since KIP-890. Before, only a new producer did, and a record that came  *)
(* late, after the abort marker, became part of the next transaction, or   *)
(* kept readers waiting for ever: faults/producer_end_keeps_epoch.tla.     *)
(***************************************************************************)
EXTENDS Integers, Sequences

CONSTANTS
    Producers,      \* all with the same transactional id
    Partitions,     \* that are written to
    Transactions    \* how many each producer begins, at most

VARIABLES
    producer,       \* by producer: what it knows
    coordinator,    \* what the coordinator knows
    log,            \* by partition: records and markers
    seen,           \* by partition: the youngest epoch seen
    messages,       \* in flight
    decided         \* by transaction: "open", "commit" or "abort"; for the properties only, no action reads it

vars == <<producer, coordinator, log, seen, messages, decided>>

\* A transaction, for the properties: whose, and which.
Names == Producers \X (1..Transactions)

\* Stages of a producer: "New", "Asking", "Ready", "Adding", "Writing", "Ending"; "Fenced" and "Crashed" are final.

-----------------------------------------------------------------------------
\* Messages. What goes from and to a producer bears its name.

EpochRequest(w) == [type |-> "EpochRequest", producer |-> w]
EpochReply(w, epoch) == [type |-> "EpochReply", producer |-> w, epoch |-> epoch]
AddRequest(w, epoch, p, n) == [type |-> "AddRequest", producer |-> w, epoch |-> epoch, partition |-> p, n |-> n]
AddReply(w, p) == [type |-> "AddReply", producer |-> w, partition |-> p]
EndRequest(w, epoch, outcome) == [type |-> "EndRequest", producer |-> w, epoch |-> epoch, outcome |-> outcome]
EndReply(w, epoch) == [type |-> "EndReply", producer |-> w, epoch |-> epoch]
Busy(w) == [type |-> "Busy", producer |-> w]
Fenced(w) == [type |-> "Fenced", producer |-> w]
Write(w, p, epoch, n) == [type |-> "Write", producer |-> w, partition |-> p, epoch |-> epoch, n |-> n]
Written(w, p, n, ok) == [type |-> "Written", producer |-> w, partition |-> p, n |-> n, ok |-> ok]
Marker(p, epoch, outcome) == [type |-> "Marker", partition |-> p, epoch |-> epoch, outcome |-> outcome]
Marked(p) == [type |-> "Marked", partition |-> p]

Send(m) == messages' = messages \cup {m}
Receive(m) == messages' = messages \ {m}
Answer(m, answer) == messages' = (messages \ {m}) \cup {answer}

-----------------------------------------------------------------------------
\* What faults/ change: a configuration can put another operator in the place of each.

\* The epoch of a new producer, and the one after a transaction has ended.
EpochOfNewProducer(epoch) == epoch + 1
EpochAfterEnd(epoch) == epoch + 1

\* Who may speak to the coordinator, and who may write to a partition.
IsCurrent(epoch) == epoch = coordinator.epoch
MayWrite(epoch, p) == epoch >= seen[p]

\* Where the markers go, and what the coordinator waits for.
ToMark(partitions) == partitions
Awaited(partitions) == partitions

\* Is it time to give up on a transaction?
TimesOut == coordinator.stage = "Ongoing"

-----------------------------------------------------------------------------
\* Producers

Ask(w) ==
    /\ producer[w].stage = "New"
    /\ producer' = [producer EXCEPT ![w].stage = "Asking"]
    /\ Send(EpochRequest(w))
    /\ UNCHANGED <<coordinator, log, seen, decided>>

Asked(w) ==
    /\ producer[w].stage = "Asking"
    /\ \E m \in messages :
        /\ m.type \in {"EpochReply", "Busy"}
        /\ m.producer = w
        /\ Receive(m)
        /\ producer' = IF m.type = "Busy"
                       THEN [producer EXCEPT ![w].stage = "New"]
                       ELSE [producer EXCEPT ![w].stage = "Ready", ![w].epoch = m.epoch]
    /\ UNCHANGED <<coordinator, log, seen, decided>>

\* The number of the transaction that a partition is added to: its first partition begins it.
Number(w) == IF producer[w].added = {} THEN producer[w].n + 1 ELSE producer[w].n

Add(w, p) ==
    /\ \/ producer[w].stage = "Ready" /\ producer[w].n < Transactions
       \/ producer[w].stage = "Writing"
    /\ p \notin producer[w].added
    /\ producer' = [producer EXCEPT ![w].stage = "Adding"]
    /\ Send(AddRequest(w, producer[w].epoch, p, Number(w)))
    /\ UNCHANGED <<coordinator, log, seen, decided>>

\* Busy: the markers of the last transaction are still being written, so nothing was added; the same again later.
Added(w) ==
    /\ producer[w].stage = "Adding"
    /\ \E m \in messages :
        /\ m.type \in {"AddReply", "Busy", "Fenced"}
        /\ m.producer = w
        /\ Receive(m)
        /\ producer' = CASE m.type = "AddReply" -> [producer EXCEPT ![w].stage = "Writing", ![w].n = Number(w),
                                                                 ![w].added = @ \cup {m.partition}]
                         [] m.type = "Busy" -> [producer EXCEPT ![w].stage = IF producer[w].added = {} THEN "Ready"
                                                                             ELSE "Writing"]
                         [] m.type = "Fenced" -> [producer EXCEPT ![w].stage = "Fenced"]
    /\ UNCHANGED <<coordinator, log, seen, decided>>

WriteTo(w, p) ==
    /\ producer[w].stage = "Writing"
    /\ p \in producer[w].added
    /\ p \notin producer[w].sent
    /\ producer' = [producer EXCEPT ![w].sent = @ \cup {p}]
    /\ Send(Write(w, p, producer[w].epoch, producer[w].n))
    /\ UNCHANGED <<coordinator, log, seen, decided>>

\* An answer to a record of an earlier transaction, or of one that is being aborted, says nothing any more.
WrittenTo(w, p) ==
    /\ producer[w].stage \notin {"Fenced", "Crashed"}
    /\ \E ok \in BOOLEAN, n \in 1..Transactions :
        LET m == Written(w, p, n, ok)
        IN  /\ m \in messages
            /\ Receive(m)
            /\ producer' = IF n # producer[w].n \/ p \notin producer[w].sent \/ producer[w].stage = "Ending"
                           THEN producer
                           ELSE IF ok THEN [producer EXCEPT ![w].acknowledged = @ \cup {p}]
                           ELSE [producer EXCEPT ![w].stage = "Fenced"]
    /\ UNCHANGED <<coordinator, log, seen, decided>>

End(w, outcome) ==
    /\ producer[w].stage = "Writing"
    /\ outcome = "commit" => producer[w].acknowledged = producer[w].added
    /\ producer' = [producer EXCEPT ![w].stage = "Ending"]
    /\ Send(EndRequest(w, producer[w].epoch, outcome))
    /\ UNCHANGED <<coordinator, log, seen, decided>>

Ended(w) ==
    /\ producer[w].stage = "Ending"
    /\ \E m \in messages :
        /\ m.type \in {"EndReply", "Fenced"}
        /\ m.producer = w
        /\ Receive(m)
        /\ producer' = IF m.type = "Fenced"
                       THEN [producer EXCEPT ![w].stage = "Fenced"]
                       ELSE [producer EXCEPT ![w].stage = "Ready", ![w].epoch = m.epoch,
                                             ![w].added = {}, ![w].sent = {}, ![w].acknowledged = {}]
    /\ UNCHANGED <<coordinator, log, seen, decided>>

Crash(w) ==
    /\ producer[w].stage \notin {"New", "Fenced", "Crashed"}
    /\ producer' = [producer EXCEPT ![w].stage = "Crashed"]
    /\ UNCHANGED <<coordinator, log, seen, messages, decided>>

-----------------------------------------------------------------------------
\* The coordinator. Its stages: "Empty", "Ongoing" and "Ending", which is over when all markers are written.

\* Ends the transaction that is open; `left` is what is in flight besides the markers.
Decide(outcome, left) ==
    LET epoch == EpochAfterEnd(coordinator.epoch)
    IN  /\ coordinator' = [coordinator EXCEPT !.stage = "Ending", !.epoch = epoch,
                                              !.partitions = Awaited(coordinator.partitions)]
        /\ decided' = [decided EXCEPT ![coordinator.name] = outcome]
        /\ messages' = left \cup {Marker(p, epoch, outcome) : p \in ToMark(coordinator.partitions)}

HandleAsk(w) ==
    LET m == EpochRequest(w)
        epoch == EpochOfNewProducer(coordinator.epoch)
    IN  /\ m \in messages
        /\ CASE coordinator.stage = "Ongoing" -> Decide("abort", (messages \ {m}) \cup {Busy(w)})
             [] coordinator.stage = "Ending" -> Answer(m, Busy(w)) /\ UNCHANGED <<coordinator, decided>>
             [] coordinator.stage = "Empty" -> /\ coordinator' = [coordinator EXCEPT !.epoch = epoch]
                                               /\ Answer(m, EpochReply(w, epoch))
                                               /\ UNCHANGED decided
        /\ UNCHANGED <<producer, log, seen>>

HandleAdd(w) ==
    /\ \E m \in messages :
        /\ m.type = "AddRequest"
        /\ m.producer = w
        /\ IF ~IsCurrent(m.epoch) THEN Answer(m, Fenced(w)) /\ UNCHANGED coordinator
           ELSE IF coordinator.stage = "Ending" THEN Answer(m, Busy(w)) /\ UNCHANGED coordinator
           ELSE /\ Answer(m, AddReply(w, m.partition))
                /\ coordinator' = [coordinator EXCEPT !.stage = "Ongoing", !.name = <<w, m.n>>,
                                                      !.partitions = @ \cup {m.partition}]
    /\ UNCHANGED <<producer, log, seen, decided>>

HandleEnd(w) ==
    /\ \E m \in messages :
        /\ m.type = "EndRequest"
        /\ m.producer = w
        /\ IF IsCurrent(m.epoch) /\ coordinator.stage = "Ongoing"
           THEN Decide(m.outcome, (messages \ {m}) \cup {EndReply(w, EpochAfterEnd(coordinator.epoch))})
           ELSE Answer(m, Fenced(w)) /\ UNCHANGED <<coordinator, decided>>
    /\ UNCHANGED <<producer, log, seen>>

Timeout ==
    /\ TimesOut
    /\ Decide("abort", messages)
    /\ UNCHANGED <<producer, log, seen>>

HandleMarked(p) ==
    /\ Marked(p) \in messages
    /\ Receive(Marked(p))
    /\ coordinator' = [coordinator EXCEPT !.partitions = @ \ {p},
                                          !.stage = IF coordinator.partitions \subseteq {p} THEN "Empty" ELSE @]
    /\ UNCHANGED <<producer, log, seen, decided>>

-----------------------------------------------------------------------------
\* Partitions

HandleWrite(p, w) ==
    /\ \E m \in messages :
        /\ m.type = "Write"
        /\ m.partition = p
        /\ m.producer = w
        /\ IF MayWrite(m.epoch, p)
           THEN /\ log' = [log EXCEPT ![p] = Append(@, [kind |-> "record", epoch |-> m.epoch, name |-> <<w, m.n>>])]
                /\ seen' = [seen EXCEPT ![p] = m.epoch]
           ELSE UNCHANGED <<log, seen>>
        /\ Answer(m, Written(w, p, m.n, MayWrite(m.epoch, p)))
    /\ UNCHANGED <<producer, coordinator, decided>>

HandleMarker(p) ==
    /\ \E m \in messages :
        /\ m.type = "Marker"
        /\ m.partition = p
        /\ log' = [log EXCEPT ![p] = Append(@, [kind |-> m.outcome, epoch |-> m.epoch])]
        /\ seen' = [seen EXCEPT ![p] = m.epoch]
        /\ Answer(m, Marked(p))
    /\ UNCHANGED <<producer, coordinator, decided>>

-----------------------------------------------------------------------------
Init ==
    /\ producer = [w \in Producers |-> [stage |-> "New", epoch |-> -1, n |-> 0,
                                        added |-> {}, sent |-> {}, acknowledged |-> {}]]
    /\ coordinator = [stage |-> "Empty", epoch |-> -1, name |-> <<>>, partitions |-> {}]
    /\ log = [p \in Partitions |-> <<>>]
    /\ seen = [p \in Partitions |-> -1]
    /\ messages = {}
    /\ decided = [name \in Names |-> "open"]

Step(w) ==
    \/ Ask(w) \/ Asked(w) \/ Added(w) \/ Ended(w)
    \/ \E p \in Partitions : Add(w, p) \/ WriteTo(w, p) \/ WrittenTo(w, p)
    \/ \E outcome \in {"commit", "abort"} : End(w, outcome)

Coordinate ==
    \/ Timeout
    \/ \E w \in Producers : HandleAsk(w) \/ HandleAdd(w) \/ HandleEnd(w)
    \/ \E p \in Partitions : HandleMarked(p)

Store(p) == HandleMarker(p) \/ \E w \in Producers : HandleWrite(p, w)

Next ==
    \/ \E w \in Producers : Step(w) \/ Crash(w)
    \/ Coordinate
    \/ \E p \in Partitions : Store(p)

Spec == Init /\ [][Next]_vars

\* What must be fair: a new producer asks again until it has its epoch, the coordinator and the partitions handle what
\* they are sent, and transactions time out. Nothing need be fair about a producer with an epoch: it may stop for good.
FairSpec ==
    /\ Spec
    /\ WF_vars(Timeout)
    /\ \A w \in Producers :
        /\ WF_vars(Ask(w))
        /\ WF_vars(Asked(w))
        /\ WF_vars(HandleAsk(w))
        /\ WF_vars(HandleAdd(w))
        /\ WF_vars(HandleEnd(w))
    /\ \A p \in Partitions :
        /\ WF_vars(HandleMarked(p))
        /\ WF_vars(HandleMarker(p))
        /\ \A w \in Producers : WF_vars(HandleWrite(p, w))

-----------------------------------------------------------------------------
\* What can be read

IsRecord(p, i) == log[p][i].kind = "record"

\* The first marker at or after offset i, or 0.
MarkerAfter(p, i) ==
    LET after == {j \in i..Len(log[p]) : ~IsRecord(p, j)}
    IN  IF after = {} THEN 0 ELSE CHOOSE j \in after : \A k \in after : j <= k

Readable(p, i) == MarkerAfter(p, i) # 0 /\ log[p][MarkerAfter(p, i)].kind = "commit"

\* Where the records of a transaction are.
RecordsOf(name) ==
    UNION {{<<p, i>> : i \in {j \in 1..Len(log[p]) : IsRecord(p, j) /\ log[p][j].name = name}} : p \in Partitions}

\* A record waits for its marker, and everybody who reads from here with it.
IsOpen(p) == \E i \in 1..Len(log[p]) : MarkerAfter(p, i) = 0

-----------------------------------------------------------------------------
\* Safety

\* No two producers with the same id and epoch write.
OneWriterAnEpoch ==
    \A p, q \in Partitions :
        \A i \in 1..Len(log[p]), j \in 1..Len(log[q]) :
            IsRecord(p, i) /\ IsRecord(q, j) /\ log[p][i].epoch = log[q][j].epoch
                => log[p][i].name[1] = log[q][j].name[1]

\* No aborted record is ever read as committed, nor one whose transaction is not decided.
OnlyCommittedIsRead ==
    \A p \in Partitions : \A i \in 1..Len(log[p]) :
        IsRecord(p, i) /\ Readable(p, i) => decided[log[p][i].name] = "commit"

\* Who was fenced stays fenced: what a partition takes is never older than what it has.
NoOlderEpoch == [][\A p \in Partitions : seen'[p] >= seen[p]]_seen

\* What was decided stays so.
DecidedOnce == [][\A name \in Names : decided[name] = "open" \/ decided'[name] = decided[name]]_decided

-----------------------------------------------------------------------------
\* Liveness

\* No transaction hangs: a partition does not wait for its marker for ever.
NothingStaysOpen == \A p \in Partitions : IsOpen(p) ~> ~IsOpen(p)

\* All records of a committed transaction are read, on all partitions; there is one at least.
CommittedIsRead ==
    \A name \in Names :
        decided[name] = "commit" ~> RecordsOf(name) # {} /\ \A r \in RecordsOf(name) : Readable(r[1], r[2])

\* A new producer gets its epoch, unless it crashes, however busy the coordinator is.
EveryoneGetsAnEpoch ==
    \A w \in Producers : producer[w].stage = "Asking" ~> producer[w].stage \notin {"Asking", "New"}
=============================================================================
