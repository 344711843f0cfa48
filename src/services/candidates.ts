import Type from 'typebox';
import { operation } from '../access/operation.ts';
import { adminRead } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { attemptLimits, limits } from '../config/limits.ts';
import { readSaidOfMany } from '../db/availability.ts';
import { callTimeByUuid } from '../db/call-times.ts';
import { readReliability, readStaff, type StaffMember } from '../db/candidates.ts';
import type { JudgedShift } from '../db/clashes.ts';
import { readEventsByIds } from '../db/events.ts';
import { readUsersByIds } from '../db/users.ts';
import { readBooked } from '../db/staff-facts.ts';
import { notFound } from '../errors.ts';
import type { CallTimeRow } from '../fields/call-times.ts';
import type { CandidateReason, Reliability } from '../fields/candidates.ts';
import { codesOf, verdicts, type softReasons } from '../fields/codes.ts';
import type { EventRow } from '../fields/events.ts';
import type { ShownUser } from '../fields/users.ts';
import { groupBy } from '../paging/group-by.ts';
import { pageInput, pageNumberInput } from '../paging/input.ts';
import { pageRule, readPage } from '../paging/pages.ts';
import { closedObject, oneOf, visibleText } from '../validation/schemas.ts';
import { callTimeParams } from './call-times-input.ts';
import { openQualifications } from './qualification-gaps.ts';
import {
  createStaffRules,
  createWeeks,
  findBookings,
  nothingSaid,
  sumWeek,
  toBooked,
  type Judged,
} from './staff-rules.ts';

/*
 * Who can work at a call time: the whole staff, ranked. The hard reasons are those that an assignment would be refused for; the soft
 * ones make the score.
 */

type Verdict = keyof typeof verdicts;

/** The soft reasons that either hold or not, in words. */
const softTexts = {
  AVAILABILITY_UNKNOWN: 'Has not said whether they can work then',
  PREFERRED: 'Would like to work then',
  KNOWS_CLIENT: 'Has worked for this client',
  KNOWS_VENUE: 'Has worked at this venue',
  KNOWS_POSITION: 'Has worked in this position',
} as const satisfies Partial<Record<keyof typeof softReasons, string>>;

const dayMs = 86_400_000;
const reliable: Reliability = { noShows: 0, late: 0, declinedLate: 0 };

/** Each part is 0 to 1; null where the event has no client or no venue. The score is their mean. */
interface ScoreParts {
  readonly availability: number;
  /** 1 without hours in the week, 0.5 with the average of the staff, 0 with twice as many. */
  readonly hours: number;
  readonly client: number | null;
  readonly venue: number | null;
  readonly position: number;
  /** 1 without no-shows, late check-ins and late declines; 0.5 with one no-show, two late declines or four late check-ins. */
  readonly reliability: number;
}

export interface Candidate {
  readonly userId: number;
  readonly name: string;
  readonly phone: string | null;
  readonly verdict: Verdict;
  readonly reasons: readonly CandidateReason[];
  readonly score: number;
  readonly scoreParts: ScoreParts;
  /** Hours of the shifts that start in the week of the call time. */
  readonly weekHours: number;
  readonly reliability: Reliability;
}

export const candidateFilter = {
  search: Type.Optional(
    visibleText(limits.textChars, {
      description: 'Part of the name or of the e-mail address, without regard to case and accents.',
    }),
  ),
  verdicts: Type.Optional(
    Type.Array(oneOf(codesOf(verdicts)), {
      maxItems: codesOf(verdicts).length,
      description: 'Lists only people with one of these verdicts. Default: all.',
    }),
  ),
};

export const candidatesQuery = Type.Object({ ...candidateFilter, ...pageNumberInput() });

/** Lists the staff as candidates for a call time: READY first, then ASK, then BLOCKED, each by score. */
export const list = operation({
  ...adminRead,
  name: 'candidates.list',
  input: closedObject({ ...callTimeParams.properties, ...candidateFilter, ...pageInput() }),
  attempts: attemptLimits.report,
  rules: [pageRule],
  run: async (scope, { uuid, search, verdicts: wanted, ...request }) => {
    const { ranked, describe } = await rankCandidates(scope, uuid, wanted, search);
    return readPage(scope, request, {
      rows: async ({ limit, offset = 0 }) => {
        const shown = ranked.slice(offset, offset + limit);
        const people = await readUsersByIds(
          scope.db,
          shown.map(({ member }) => member.id),
        );
        const personOf = new Map(people.map((person) => [person.id, person]));
        return shown.flatMap((each) => {
          const person = personOf.get(each.member.id);
          return person ? [describe(each, person)] : [];
        });
      },
      count: async () => ranked.length,
    });
  },
});

/** Ranks the staff, or those that a search finds, for a call time: those with one of some verdicts. */
export async function rankCandidates(
  scope: Scope,
  callTimeUuid: string,
  wanted: readonly Verdict[] = codesOf(verdicts),
  search?: string,
) {
  const callTime = await callTimeByUuid(scope.db, callTimeUuid);
  const [event] = callTime ? await readEventsByIds(scope.db, [callTime.eventId]) : [];
  if (!callTime || !event) throw notFound('call time');
  return { callTime, ...(await rankStaff(scope, callTime, event, search, wanted)) };
}

const hourMs = 3_600_000;

/** What decides on the place of somebody. */
interface Ranked extends Judged {
  readonly member: StaffMember;
  readonly verdict: Verdict;
  readonly score: number;
  readonly scoreParts: ScoreParts;
}

/** Ranks the staff, and describes those who are shown. */
async function rankStaff(
  scope: Scope,
  callTime: CallTimeRow,
  event: EventRow,
  search: string | undefined,
  wantedVerdicts: readonly Verdict[],
) {
  const { actor, db } = scope;
  const before = {
    clientId: event.clientId,
    venueName: event.venueName,
    positionId: callTime.positionId,
    from: new Date(callTime.startsAt.getTime() - limits.spanDaysMax * 24 * hourMs),
    to: callTime.startsAt,
  };
  const wanted: Omit<JudgedShift, 'userId'> = {
    startsAt: callTime.startTimeTbd ? null : callTime.startsAt,
    endsAt: callTime.endTimeTbd ? null : callTime.endsAt,
    positionId: callTime.positionId,
    callTimeId: callTime.id,
    event,
  };
  const week = createWeeks(actor)(callTime.startsAt.getTime());
  const place = toBooked({ ...wanted, userId: 0 });
  const { begins, ends } = place;
  const restMs = (actor.restHours ?? 0) * hourMs;
  const [staff, booked, saidBy, findGaps, noted] = await Promise.all([
    readStaff(db, before, search),
    readBooked(db, null, {
      from: new Date(Math.min(week.from, begins - restMs)),
      to: new Date(Math.max(week.to, ends + restMs)),
    }),
    readSaidOfMany(db, { startsAt: new Date(begins), endsAt: new Date(ends) }, null),
    openQualifications(db, [wanted], 'all'),
    readReliability(db, new Date(scope.clock().getTime() - limits.reliabilityDays * dayMs)),
  ]);
  const reliabilityOf = new Map(noted.map(({ userId, ...counts }) => [userId, counts]));
  const bookedOf = groupBy('userId', booked);
  const weekMs = new Map(staff.map(({ id }) => [id, sumWeek(bookedOf(id), week)]));
  const averageMs = [...weekMs.values()].reduce((sum, ms) => sum + ms, 0) / (staff.length || 1);
  const judge = createStaffRules(actor, findGaps);
  const ranked = staff
    .filter(({ isFound }) => isFound)
    .map(rank)
    .filter(({ verdict }) => wantedVerdicts.includes(verdict))
    .sort(byRank);
  return { ranked, describe };

  function rank(member: StaffMember): Ranked {
    const { id: userId } = member;
    const own = bookedOf(userId);
    const { breaches, availability } = judge(
      { ...place, userId },
      { booked: own, said: saidBy.get(userId) ?? nothingSaid },
    );
    const isBlocked = breaches.length > 0 || findBookings(place, own).length > 0;
    const isAvailable = availability === 'AVAILABLE' || availability === 'PREFERRED';
    const verdict = isBlocked ? 'BLOCKED' : isAvailable ? 'READY' : 'ASK';
    const hoursMs = weekMs.get(userId) ?? 0;
    const scoreParts: ScoreParts = {
      availability: availabilityScores[availability],
      hours: hoursMs === 0 ? 1 : Math.max(0, 1 - hoursMs / (2 * averageMs)),
      client: event.clientId === null ? null : Number(member.knowsClient),
      venue: event.venueName === null ? null : Number(member.knowsVenue),
      position: Number(member.knowsPosition),
      reliability: scoreReliability(reliabilityOf.get(userId) ?? reliable),
    };
    return { member, verdict, breaches, availability, score: meanOf(scoreParts), scoreParts };
  }

  function describe(
    { member, verdict, breaches, availability, score, scoreParts }: Ranked,
    { id: userId, name, phone }: ShownUser,
  ): Candidate {
    const hard = [...findBookings(place, bookedOf(userId)), ...breaches].map(
      ({ kind, text, until }): CandidateReason => ({ code: kind, severity: 'HARD', text, until }),
    );
    const reliability = reliabilityOf.get(userId) ?? reliable;
    const soft = (code: keyof typeof softTexts, holds: boolean): CandidateReason[] =>
      holds ? [{ code, severity: 'SOFT', text: softTexts[code], until: null }] : [];
    return {
      userId,
      name,
      phone,
      verdict,
      reasons: [
        ...hard,
        ...soft('AVAILABILITY_UNKNOWN', availability === 'UNKNOWN'),
        ...soft('PREFERRED', availability === 'PREFERRED'),
        ...soft('KNOWS_CLIENT', member.knowsClient),
        ...soft('KNOWS_VENUE', member.knowsVenue),
        ...soft('KNOWS_POSITION', member.knowsPosition),
        ...(reliability === reliable ? [] : [tellReliability(reliability)]),
      ],
      score,
      scoreParts,
      weekHours: (weekMs.get(userId) ?? 0) / hourMs,
      reliability,
    };
  }
}

const scoreReliability = ({ noShows, late, declinedLate }: Reliability): number =>
  1 / (1 + noShows + declinedLate / 2 + late / 4);

const tellReliability = ({ noShows, late, declinedLate }: Reliability): CandidateReason => ({
  code: 'NOT_RELIABLE',
  severity: 'SOFT',
  text: `In the last ${limits.reliabilityDays} days: did not come ${noShows}, came late ${late}, declined late ${declinedLate}`,
  until: null,
});

function meanOf({ availability, hours, client, venue, position, reliability }: ScoreParts): number {
  const known = 4 + Number(client !== null) + Number(venue !== null);
  return (availability + hours + (client ?? 0) + (venue ?? 0) + position + reliability) / known;
}

const ranks = codesOf(verdicts);
const byRank = (a: Ranked, b: Ranked) =>
  ranks.indexOf(a.verdict) - ranks.indexOf(b.verdict) || b.score - a.score || a.member.id - b.member.id;

const availabilityScores = { PREFERRED: 1, AVAILABLE: 0.7, UNKNOWN: 0.4, UNAVAILABLE: 0 } as const;
