import type { EventStatus, Prisma } from '../../generated/prisma/client.ts';
import type { Crew, EventKind } from './event-kinds.ts';
import { addDays, dayMs, dayOf, minuteMs, momentAt, nearestClockChange, weekday, type Day } from './moments.ts';
import { familyNames } from './names.ts';
import type { BusinessProfile } from './profiles.ts';
import type { Random } from './random.ts';
import { venues, type Venue } from './venues.ts';

export interface EventDraft {
  readonly row: Omit<Prisma.EventCreateManyInput, 'businessId' | 'clientId'> & Stored;
  /** Index into the profile's clients; null means no client. */
  readonly client: number | null;
  readonly callTimes: readonly CallTimeDraft[];
  readonly values: readonly { field: string; value: string }[];
}

export interface CallTimeDraft {
  readonly row: Omit<Prisma.CallTimeCreateManyInput, 'businessId' | 'eventId' | 'positionId' | 'skillLevelId'> & Stored;
  readonly position: string;
  readonly skillLevel: string | null;
}

/** Columns that every drafted row has. */
interface Stored {
  uuid: string;
  startLocal: Date;
  startsAt: Date;
  endLocal: Date;
  endsAt: Date;
  createdAt: Date;
  modifiedAt: Date;
}

/** Place and time of one event. */
interface Slot {
  readonly day: Day;
  readonly zone: string;
  readonly kind: EventKind;
  readonly starts: number;
  readonly status: EventStatus;
  readonly tbd: 'none' | 'both' | 'end';
}

const daysBefore = 45;
const daysAfter = 60;

export function draftEvents(profile: BusinessProfile, today: Date, random: Random): EventDraft[] {
  return slots(profile, dayOf(today), random)
    .sort((a, b) => a.day.localeCompare(b.day))
    .map((slot) => draftEvent(profile, slot, today, random));
}

function slots(profile: BusinessProfile, today: Day, random: Random): Slot[] {
  const active = { status: 'active', tbd: 'none' } as const;
  const slotOn = (day: Day, zone = random.pick(profile.zones)): Slot => {
    const weekend = weekday(day) >= 5;
    const kind = random.pick(profile.kinds.filter(({ on }) => on === (weekend ? 'weekends' : 'weekdays')));
    return { day, zone, kind, starts: random.pick(kind.starts), ...active };
  };

  const clockChanges = profile.clockChangeZones.map((zone) => {
    const kind = profile.overnightKind;
    return { day: addDays(nearestClockChange(today, zone), -1), zone, kind, starts: kind.starts[0]!, ...active };
  });
  const soon = [0, 1, 2, 8].map((days) => slotOn(addDays(today, days)));
  const rooms = slotOn(addDays(today, 4), profile.zones[0]);
  const twoAtOnce = [rooms, { ...rooms }, { ...rooms }];
  const undecided = (['both', 'end'] as const).map((tbd, index) => ({
    ...slotOn(addDays(today, 41 + 9 * index)),
    tbd,
  }));

  const fixed = [...clockChanges, ...soon, ...twoAtOnce, ...undecided];
  const spreadCount = profile.eventCount - fixed.length;
  const spread = Array.from({ length: spreadCount }, (_, index) => {
    const offset = Math.round(-daysBefore + (index * (daysBefore + daysAfter)) / (spreadCount - 1));
    return { ...slotOn(addDays(today, offset)), status: statusOf(index, offset) };
  });
  return [...fixed, ...spread];
}

/** Most events are active; drafts lie in the future. */
function statusOf(index: number, offset: number): EventStatus {
  if (index % 9 === 3) return 'canceled';
  if (index % 11 === 5) return 'deleted';
  return offset > 7 && index % 5 === 0 ? 'draft' : 'active';
}

// prettier-ignore
function draftEvent(profile: BusinessProfile, slot: Slot, today: Date, random: Random): EventDraft {
  const { day, zone, kind, starts } = slot;
  const start = momentAt(day, starts, zone);
  const end = momentAt(day, starts + kind.minutes, zone);
  const venue: Venue = random.pick(venues.filter((candidate) => candidate.zone === zone));
  const client = random.chance(0.9) ? random.whole(0, profile.clients.length - 1) : null;
  const organisation = client === null ? profile.name : profile.clients[client]!.organisation;
  const stamps = stampsBefore(start.at, today, random);
  const [startTbd, endTbd] = [slot.tbd === 'both', slot.tbd !== 'none'];
  const sure = random.chance(0.85);

  return {
    client,
    row: {
      uuid: random.uuid(),
      status: slot.status,
      title: titleOf(kind, organisation, venue.city, random),
      startLocal: start.local, startsAt: start.at, startTbd,
      endLocal: end.local, endsAt: end.at, endTbd,
      timezone: zone,
      resourceId: random.chance(0.5) ? random.fill(`${profile.domain[0]!.toUpperCase()}-#####`) : null,
      description: kind.description,
      privateNotes: random.chance(0.4) ? random.pick(privateNotes) : null,
      dressCode: kind.dressCode,
      venueName: venue.name,
      address: venue.address,
      addressLine2: random.chance(0.2) ? random.fill('Suite #0') : null,
      room: sure ? random.pick(venue.rooms) : null,
      city: venue.city,
      state: venue.state || null,
      zip: venue.zip,
      latitude: venue.latitude,
      longitude: venue.longitude,
      ...stamps,
    },
    callTimes: kind.crews.map((crew) => draftCallTime(profile, slot, crew, stamps, random)),
    values: profile.fields.filter(() => random.chance(0.85)).map((field) => ({ field: field.name, value: random.fill(random.pick(field.samples)) })),
  };
}

const titleOf = (kind: EventKind, organisation: string, city: string, random: Random): string =>
  random
    .pick(kind.titles)
    .replace('{client}', organisation)
    .replace('{city}', city)
    .replaceAll('{family}', () => random.pick(familyNames));

// prettier-ignore
function draftCallTime(profile: BusinessProfile, slot: Slot, crew: Crew, stamps: Stamps, random: Random): CallTimeDraft {
  const position = profile.positions.find(({ title }) => title === crew.position);
  if (!position) throw new Error(`${profile.name} has no position ${crew.position}.`);
  const start = momentAt(slot.day, slot.starts - crew.early, slot.zone);
  const end = momentAt(slot.day, slot.starts + slot.kind.minutes + crew.late, slot.zone);
  const isOpen = random.chance(0.06);

  return {
    position: position.title,
    skillLevel: random.chance(0.6) ? random.pick(profile.skillLevels) : null,
    row: {
      uuid: random.uuid(),
      staffNeeded: random.whole(...crew.staff),
      startLocal: start.local, startsAt: start.at, startTbd: slot.tbd === 'both',
      endLocal: end.local, endsAt: end.at, endTbd: slot.tbd !== 'none' || isOpen,
      notesForStaff: crew.notes ?? null,
      payRate: random.chance(0.35) ? raised(position.defaultPayRate, random) : null,
      payUnit: position.payUnit,
      dressCode: random.chance(0.2) ? 'As the event, with headset and flashlight' : null,
      ...stamps,
    },
  };
}

/** Raises a rate a little, in USD with cents. */
export const raised = (rate: string, random: Random): string =>
  (Number(rate) * (1 + random.whole(2, 12) / 40)).toFixed(2);

interface Stamps {
  createdAt: Date;
  modifiedAt: Date;
}

/** Makes stamps: created some weeks before the start, changed since, and neither after the start nor after today. */
function stampsBefore(start: Date, today: Date, random: Random): Stamps {
  const createdMs =
    Math.min(start.getTime() - random.whole(14, 60) * dayMs, today.getTime() - random.whole(1, 20) * dayMs) -
    random.whole(0, 900) * minuteMs;
  const modifiedMs =
    createdMs + Math.round((random.whole(0, 100) / 100) * (Math.min(today.getTime(), start.getTime()) - createdMs));
  return { createdAt: new Date(createdMs), modifiedAt: new Date(modifiedMs) };
}

const privateNotes = [
  'Deposit received, balance due seven days before.',
  'Client prefers the crew from last year.',
  'Noise curfew at 23:00 outdoors.',
  'Budget is tight: ask before adding staff.',
  'VIP guest list held by the captain; no photos backstage.',
];
