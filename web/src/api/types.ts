/** Short names for what the server sends, as generated from its schema. */

import type { SIZES } from "./game_facts";
import type { components } from "./schema";

type S = components["schemas"];

export type State = S["State"];
export type Piece = S["Piece"];
export type PlayerState = S["PlayerState"];
export type Action = S["Action"];
export type Preview = S["Preview"];
export type Turn = S["Turn"];
export type Sunlight = S["Sunlight"];
export type RoundAhead = S["RoundAhead"];
export type PlayerBoard = S["PlayerBoard"];
export type Score = S["Score"];
export type Result = S["Result"];
export type RulesView = S["RulesView"];
export type Edition = RulesView["edition"];
export type Module = RulesView["modules"][number];
export type SeatView = S["SeatView"];
export type TableView = S["TableView"];
export type Told = S["Told"];
export type Problem = S["Problem"];
export type Command = S["Command"];
type WholeSeatRequest = S["CreateTable"]["seats"][number];
/** What is left out of these is as the server has it. */
export type SeatRequest = Pick<WholeSeatRequest, "kind"> & Partial<WholeSeatRequest>;
export type Created = S["Created"];
export type Seated = S["Seated"];
export type CreateTable = Partial<Omit<S["CreateTable"], "seats">> & { seats: SeatRequest[] };
export type Clock = NonNullable<S["CreateTable"]["clock"]>;
export type Update = S["Update"];
export type Acknowledged = S["Acknowledged"];
export type Why = S["Why"];
export type WhyAnswer = S["WhyAnswer"];
export type AnimalOutlook = S["AnimalOutlook"];
export type BoardView = S["BoardView"];
export type BoardAfter = S["BoardAfter"];
export type Hint = S["Hint"];
export type Reason = S["Reason"];
export type Better = S["Better"];
export type TurnSoFar = S["TurnSoFar"];
export type Review = S["Review"];
export type ReviewedTurn = S["ReviewedTurn"];
export type Puzzle = S["Puzzle"];
export type Puzzles = S["Puzzles"];
export type PuzzleVerdict = S["PuzzleVerdict"];
export type Replay = S["Replay"];
export type Frame = S["Frame"];
export type Analysis = S["Analysis"];
export type Meta = S["Meta"];
export type Invitation = S["Invitation"];
export type Invite = S["Invite"];
export type LobbyView = S["LobbyView"];
export type Listing = S["Listing"];
export type LinkCode = S["LinkCode"];
export type Reach = S["Reach"];
export type Privacy = S["Privacy"];
export type SeatInvite = S["SeatInvite"];
export type Nudged = S["Nudged"];
export type MoveCode = S["MoveCode"];
export type MineAnswer = S["MineAnswer"];
export type MineNews = S["MineNews"];
export type Notices = S["Notices"];
export type QuietHours = S["QuietHours"];
export type TableSummary = S["TableSummary"];
export type PersonView = S["PersonView"];
export type PersonOpened = S["PersonOpened"];
export type PersonTables = S["PersonTables"];
export type Rating = S["Rating"];
export type MyRatings = S["MyRatings"];
export type RatedResult = S["RatedResult"];
export type RatedSeat = S["RatedSeat"];
export type TableRatings = S["TableRatings"];
export type Ranking = S["Ranking"];
export type Statistics = S["Statistics"];
export type Stored = S["Stored"];
export type Welcome = S["Welcome"];
export type LiveUpdate = S["LiveUpdate"];
export type Ack = S["Ack"];
export type Saying = S["Saying"];
export type LiveTalk = S["LiveTalk"];
export type Said = S["LiveSaid"];
export type Refused = S["Refused"];
export type Presence = S["Presence"];
export type Nudge = S["Nudge"];
export type AnalysisProgress = S["AnalysisProgress"];
export type Pong = S["Pong"];
export type Goodbye = S["Goodbye"];
export type LiveMessage =
  Goodbye | Welcome | LiveUpdate | Ack | LiveTalk | Said | Refused | Presence | Nudge | AnalysisProgress | Pong;

export type Size = (typeof SIZES)[number];

/** Who keeps a table: a server, or this device. */
export type Where = "server" | "device";

/** A table, wherever it is. */
export interface TableAt {
  readonly where: Where;
  readonly table: string;
}
