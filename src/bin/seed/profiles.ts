import type { CustomFieldType, PayUnit, Plan } from '../../generated/prisma/client.ts';
import {
  boardLunch,
  conference,
  gala,
  gardenParty,
  lateReception,
  launch,
  nightShow,
  wedding,
  type EventKind,
} from './event-kinds.ts';

interface FieldProfile {
  readonly name: string;
  readonly type: CustomFieldType;
  readonly options: readonly string[];
  /** Values that events have in the field; each `#` becomes a digit. Those of a select are its options. */
  readonly samples: readonly string[];
}

interface QualificationProfile {
  readonly name: string;
  readonly expires: boolean;
  /** Title of the position that requires it, and the level that it requires; null: none does. */
  readonly requiredBy: { readonly position: string; readonly minLevel: number | null } | null;
}

/** Profile of a demo business: the data that its rows are drafted from. */
export interface BusinessProfile {
  readonly seed: number;
  readonly name: string;
  readonly plan: Plan;
  readonly domain: string;
  readonly adminName: string;
  readonly clients: readonly { name: string; organisation: string }[];
  readonly staffCount: number;
  readonly eventCount: number;
  /** Staff who are booked for two events at once, on purpose. */
  readonly conflicts: number;
  /** Call times with one active shift too many. */
  readonly overfilled: number;
  readonly zones: readonly string[];
  /** Zones in which an event spans the clock change nearest to today. */
  readonly clockChangeZones: readonly string[];
  /** Of a position without a bill rate, the revenue is not known. */
  readonly positions: readonly {
    title: string;
    defaultPayRate: string;
    payUnit: PayUnit;
    billRate?: string;
    billUnit?: PayUnit;
  }[];
  readonly skillLevels: readonly string[];
  readonly qualifications: readonly QualificationProfile[];
  readonly fields: readonly FieldProfile[];
  readonly kinds: readonly EventKind[];
  readonly overnightKind: EventKind;
}

// prettier-ignore
const parking: FieldProfile = {
  name: 'Parking', type: 'text', options: [],
  samples: ['Lot C, level 2, validated at the desk', 'Street parking only', 'Staff shuttle from the north garage', 'Loading dock until noon'],
};

const purchaseOrder: FieldProfile = {
  name: 'Client PO number',
  type: 'text',
  options: [],
  samples: ['PO-20####', 'PO-#####-A'],
};

const select = (name: string, ...options: string[]): FieldProfile => ({
  name,
  type: 'select',
  options,
  samples: options,
});

// prettier-ignore
const loadIn: FieldProfile = {
  name: 'Load-in instructions', type: 'multiline', options: [],
  samples: [
    'Use the freight elevator.\nCheck in with security and leave an ID.\nNo carts on the marble floor.',
    'Dock opens at 07:00.\nOne truck at a time.',
    'Tent side, gate 3.\nCall the site manager ten minutes before arrival: 555-01##.',
  ],
};

// prettier-ignore
export const aurora: BusinessProfile = {
  seed: 20_417,
  name: 'Aurora Events',
  plan: 'enterprise',
  domain: 'aurora.example',
  adminName: 'Maya Lindqvist',
  clients: [
    { name: 'Julian Mercer', organisation: 'Brightwater Labs' },
    { name: 'Helen Osei', organisation: 'Northline Foundation' },
    { name: 'Vikram Sethi', organisation: 'Kestrel Motors' },
    { name: 'Abigail Stone', organisation: 'Marlowe & Finch' },
    { name: 'Tomás Herrera', organisation: 'Solstice Media' },
    { name: 'Ingrid Dahl', organisation: 'Fjord Capital' },
    { name: 'Russell Tate', organisation: 'Tate Biomedical' },
    { name: 'Yuki Mori', organisation: 'Hanabi Games' },
  ],
  staffCount: 64,
  eventCount: 46,
  conflicts: 2,
  overfilled: 1,
  zones: ['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles', 'Europe/London', 'Asia/Kolkata'],
  clockChangeZones: ['America/New_York', 'Europe/London'],
  positions: [
    { title: 'Event Captain', defaultPayRate: '38.00', payUnit: 'hour', billRate: '62.00', billUnit: 'hour' },
    { title: 'Banquet Server', defaultPayRate: '24.50', payUnit: 'hour', billRate: '41.00', billUnit: 'hour' },
    { title: 'Bartender', defaultPayRate: '29.75', payUnit: 'hour', billRate: '49.50', billUnit: 'hour' },
    { title: 'Registration Host', defaultPayRate: '22.00', payUnit: 'hour', billRate: '37.00', billUnit: 'hour' },
    { title: 'Brand Ambassador', defaultPayRate: '210.00', payUnit: 'day' },
    { title: 'AV Technician', defaultPayRate: '420.00', payUnit: 'day', billRate: '690.00', billUnit: 'day' },
    { title: 'Setup Crew', defaultPayRate: '150.00', payUnit: 'flat' },
  ],
  skillLevels: ['Trainee', 'Experienced', 'Lead'],
  qualifications: [
    { name: 'Forklift licence', expires: true, requiredBy: { position: 'Setup Crew', minLevel: 2 } },
    { name: 'First aid', expires: true, requiredBy: null },
    { name: 'Wine service', expires: false, requiredBy: null },
  ],
  fields: [parking, purchaseOrder, select('Meal option', 'Crew meal', 'Vegetarian crew meal', 'Meal stipend', 'None'), loadIn],
  kinds: [gala, wedding, conference, launch],
  overnightKind: nightShow,
};

// prettier-ignore
export const harbor: BusinessProfile = {
  seed: 77_031,
  name: 'Harbor & Main Catering',
  plan: 'basic',
  domain: 'harbor.example',
  adminName: 'Nora Fairbanks',
  clients: [
    { name: 'Grant Ellery', organisation: 'Ellery Shipyard' },
    { name: 'Simone Baptiste', organisation: 'Tidewater College' },
    { name: 'Peter Voss', organisation: 'Voss & Daughters' },
    { name: 'Lakshmi Nair', organisation: 'Cobalt Software' },
    { name: 'Denise Fowler', organisation: 'Lighthouse Trust' },
  ],
  staffCount: 32,
  eventCount: 22,
  conflicts: 1,
  overfilled: 0,
  zones: ['America/New_York', 'America/Chicago', 'America/Los_Angeles'],
  clockChangeZones: ['America/Chicago'],
  positions: [
    { title: 'Kitchen Lead', defaultPayRate: '36.00', payUnit: 'hour', billRate: '58.00', billUnit: 'hour' },
    { title: 'Line Cook', defaultPayRate: '27.25', payUnit: 'hour', billRate: '44.00', billUnit: 'hour' },
    { title: 'Server', defaultPayRate: '21.00', payUnit: 'hour', billRate: '36.50', billUnit: 'hour' },
    { title: 'Bar Lead', defaultPayRate: '31.00', payUnit: 'hour', billRate: '52.00', billUnit: 'hour' },
    { title: 'Dishwasher', defaultPayRate: '130.00', payUnit: 'flat' },
  ],
  skillLevels: ['Junior', 'Senior'],
  qualifications: [
    { name: 'Food hygiene', expires: true, requiredBy: { position: 'Line Cook', minLevel: null } },
    { name: 'First aid', expires: true, requiredBy: null },
  ],
  fields: [purchaseOrder, select('Service style', 'Plated', 'Buffet', 'Family style', 'Passed'), {
    name: 'Allergens', type: 'multiline', options: [],
    samples: ['Two guests: tree nuts.\nOne guest: shellfish.', 'Head table is gluten-free.', 'No sesame anywhere on site.\nSeparate fryer for fish.'],
  }],
  kinds: [boardLunch, gardenParty, lateReception],
  overnightKind: lateReception,
};
