/** One group of people at an event, with the position and hours they share. */
export interface Crew {
  readonly position: string;
  readonly staff: readonly [min: number, max: number];
  /** Minutes before the event's start at which the crew is called; negative means after it. */
  readonly early: number;
  /** Minutes after the event's end at which the crew is released; negative means before it. */
  readonly late: number;
  readonly notes?: string;
}

export interface EventKind {
  /**
   * Placeholders: `{client}` is the client's organisation, `{city}` the venue's city, each `{family}` a family name.
   */
  readonly titles: readonly string[];
  readonly on: 'weekdays' | 'weekends';
  /** Start times in minutes after midnight. */
  readonly starts: readonly number[];
  readonly minutes: number;
  readonly dressCode: string;
  readonly description: string;
  readonly crews: readonly Crew[];
}

const hour = 60;

// prettier-ignore
const setUp = (position: string): Crew => ({
  position, staff: [2, 3], early: 240, late: -240, notes: 'Load-in by the dock entrance. Closed-toe shoes.',
});

// prettier-ignore
export const gala: EventKind = {
  titles: ['{client} Annual Gala', '{client} Awards Dinner', '{client} Benefit Auction'],
  on: 'weekends',
  starts: [18 * hour, 18.5 * hour],
  minutes: 5.5 * hour,
  dressCode: 'Black tie service: black suit, white shirt, black bow tie',
  description: 'Seated dinner for 80 with a programme on stage and an auction after dessert.',
  crews: [
    { position: 'Event Captain', staff: [1, 1], early: 150, late: 60 },
    { position: 'Banquet Server', staff: [4, 6], early: 90, late: 30, notes: 'French service, two courses. Briefing at call time.' },
    { position: 'Bartender', staff: [2, 3], early: 60, late: 0 },
    setUp('Setup Crew'),
  ],
};

// prettier-ignore
export const wedding: EventKind = {
  titles: ['{family} & {family} Wedding', '{family} & {family} Wedding Reception'],
  on: 'weekends',
  starts: [15 * hour, 16 * hour, 17 * hour],
  minutes: 9.5 * hour,
  dressCode: 'All black, long sleeves, no logos',
  description: 'Ceremony, cocktail hour and reception with dancing until late.',
  crews: [
    { position: 'Event Captain', staff: [1, 1], early: 120, late: 60 },
    { position: 'Banquet Server', staff: [3, 5], early: 60, late: 30, notes: 'Family style. Allergies are on the captain’s sheet.' },
    { position: 'Bartender', staff: [2, 2], early: 45, late: 0 },
  ],
};

// prettier-ignore
export const conference: EventKind = {
  titles: ['{client} Partner Summit', '{client} Developer Day', '{client} Leadership Forum {city}'],
  on: 'weekdays',
  starts: [8 * hour, 9 * hour],
  minutes: 9 * hour,
  dressCode: 'Business casual, company polo provided',
  description: 'Registration from the first hour, two tracks, lunch buffet, closing reception.',
  crews: [
    { position: 'Registration Host', staff: [2, 4], early: 60, late: -180, notes: 'Badge printers are tested at call time.' },
    { position: 'AV Technician', staff: [1, 2], early: 120, late: 60 },
    { position: 'Banquet Server', staff: [2, 3], early: -120, late: 0 },
  ],
};

// prettier-ignore
export const launch: EventKind = {
  titles: ['{client} Product Launch', '{client} Press Night', '{client} Investor Reception'],
  on: 'weekdays',
  starts: [17.5 * hour, 18 * hour, 19 * hour],
  minutes: 4 * hour,
  dressCode: 'Black shirt, dark jeans, comfortable shoes',
  description: 'Standing reception with passed canapés, demo stations and a short keynote.',
  crews: [
    { position: 'Brand Ambassador', staff: [2, 4], early: 60, late: 30, notes: 'Product training sheet follows by e-mail.' },
    { position: 'Bartender', staff: [1, 2], early: 60, late: 15 },
    { position: 'AV Technician', staff: [1, 1], early: 180, late: 90 },
  ],
};

/** Spans a night, so that a clock change can fall into it. */
// prettier-ignore
export const nightShow: EventKind = {
  titles: ['{city} Night Festival', 'Midnight Sessions {city}', 'After Hours at the {city} Museum'],
  on: 'weekends',
  starts: [20 * hour],
  minutes: 8 * hour,
  dressCode: 'Crew black, hi-vis vest backstage',
  description: 'All-night programme on two stages with load-out before dawn.',
  crews: [
    { position: 'AV Technician', staff: [1, 2], early: 180, late: 60 },
    { position: 'Bartender', staff: [2, 3], early: 30, late: -60 },
    { position: 'Setup Crew', staff: [2, 3], early: -240, late: 120, notes: 'Strike and load-out. Night bus money is paid.' },
  ],
};

// prettier-ignore
export const boardLunch: EventKind = {
  titles: ['{client} Board Lunch', '{client} Team Lunch', '{client} Open House Buffet'],
  on: 'weekdays',
  starts: [11.5 * hour, 12 * hour],
  minutes: 3 * hour,
  dressCode: 'White shirt, black trousers, bistro apron',
  description: 'Plated or buffet lunch, seasonal menu, coffee service.',
  crews: [
    { position: 'Line Cook', staff: [1, 2], early: 180, late: 0 },
    { position: 'Server', staff: [2, 3], early: 60, late: 45, notes: 'Van leaves the kitchen 90 minutes before the call.' },
  ],
};

// prettier-ignore
export const gardenParty: EventKind = {
  titles: ['{client} Garden Party', '{client} Clambake', 'Harvest Supper with {client}'],
  on: 'weekends',
  starts: [13 * hour, 14 * hour, 16 * hour],
  minutes: 5 * hour,
  dressCode: 'Linen shirt, navy apron',
  description: 'Grill stations and raw bar outdoors; tent in case of rain.',
  crews: [
    { position: 'Kitchen Lead', staff: [1, 1], early: 240, late: 60 },
    { position: 'Line Cook', staff: [2, 3], early: 180, late: 30 },
    { position: 'Server', staff: [2, 4], early: 60, late: 45 },
    { position: 'Bar Lead', staff: [1, 1], early: 60, late: 0 },
  ],
};

// prettier-ignore
export const lateReception: EventKind = {
  titles: ['{client} Winter Ball', '{client} Alumni Night', 'Late Supper for {client}'],
  on: 'weekends',
  starts: [19 * hour, 20 * hour],
  minutes: 7.5 * hour,
  dressCode: 'All black, tie',
  description: 'Four-course supper, dancing, breakfast sandwiches at the end.',
  crews: [
    { position: 'Kitchen Lead', staff: [1, 1], early: 240, late: 0 },
    { position: 'Server', staff: [3, 4], early: 60, late: 30 },
    { position: 'Bar Lead', staff: [1, 1], early: 60, late: 15 },
    { position: 'Dishwasher', staff: [1, 2], early: 0, late: 90 },
  ],
};
