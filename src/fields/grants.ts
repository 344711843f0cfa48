import type { CredentialScope } from '../config/credential-scopes.ts';
import { allCatalogs, catalogNouns } from './catalogs.ts';

/** A credential scope, no scope, or the role of screens, whose credentials have no scopes. */
type Holder = CredentialScope | 'none' | 'screen';

/**
 * Rights of callers, in words: each phrase has its operations by their nouns, and stands below the scope or role that they need. Every description of a
 * scope, a role or a screen is made of these phrases, and an operation that none of them has stops the process from starting.
 */
const table: Readonly<Record<Holder, Readonly<Record<string, Operations>>>> = {
  none: {
    'see who they are, and end their own log-in': { tokens: 'revokeUsed', viewer: 'get' },
  },
  screen: {
    'read the board of one filter': { screens: 'getOwn readBoard', revision: 'get' },
    'show the code for check-in of the event for which it was approved': { attendance: 'readScreenCode' },
    'check people in and out there, by their name and the last four digits of their phone number': {
      attendance: 'checkOnScreen',
    },
    'stop being a screen': { screens: 'revokeOwn' },
  },
  read: {
    'events with call times and what these require': {
      events: 'get getOwn list listOwn ofIds',
      callTimes: 'get ofEvents ofIds pagesOfEvents',
      requirements: 'ofCallTimes',
    },
    'shifts with the names of their people': {
      workShifts: 'get listOfEvent listOwn listsOf ofEvents pagesOf',
      users: 'ofIds',
    },
    [catalogNouns]: operationsOfCatalogs('get list ofIds'),
    'custom fields and their values': { customFields: 'get list pagesOfEvents valuesOfEvents' },
    coverage: { coverage: 'ofCallTimes ofEvents report' },
    'labour cost, payroll and the report of work': {
      labourCost: 'ofCallTimes ofEvents report',
      payroll: 'read',
      work: 'report',
    },
    users: { users: 'get getLogIns list listStaff' },
    'when people can work': { availability: 'get ofUsers', availabilityExceptions: 'get', availabilityPatterns: 'get' },
    'qualifications held': { userQualifications: 'expiring get list ofUsers' },
    'candidates and conflicts': { candidates: 'list', conflicts: 'list' },
    'attendance with hours and pay': { attendance: 'get list' },
    'codes for check-in': { attendance: 'readCode' },
    offers: { offers: 'get getRecipient list listRecipients' },
    'open call times in their positions': { callTimes: 'listOpen' },
    'requests for swaps': { swaps: 'get list' },
    'who could swap a shift, with the shifts of these colleagues': { swaps: 'listOptions' },
    'swaps in their positions that anybody can take, with the names of these colleagues': { swaps: 'listOpen' },
    'calendar feeds': { feeds: 'list' },
    'which mails they get': { mails: 'getOwn' },
    'settings of the business': { business: 'get' },
    'what has changed of all this': { changes: 'list', exports: 'open', nodes: 'ofIds', revision: 'get' },
  },
  'events:write': {
    'create, copy, change, cancel and delete events': {
      events: 'copy create createMany update updateMany upsert',
    },
    'create, change and delete call times, with their pay and bill rates': {
      callTimes: 'changeMany create delete update',
    },
    'create, change and delete custom fields, and set their values': { customFields: 'create delete setValues update' },
    [`create, change and delete ${catalogNouns}, with the pay and bill rates of positions`]:
      operationsOfCatalogs('create delete update'),
  },
  'staffing:write': {
    'assign people to shifts, and change, move, exchange, cancel and delete shifts': {
      workShifts: 'assign assignMany cancel cancelMany delete exchange move moveMany update',
      events: 'copy create createMany upsert',
      users: 'delete',
    },
    'confirm, decline and drop shifts': { workShifts: 'confirm confirmMany decline drop keep unconfirm' },
    'offer places, of which people are told by mail, and decide on their answers': {
      offers: 'refuse resend send withdraw',
    },
    'answer offers, and claim open call times': { offers: 'accept decline', callTimes: 'claim' },
    'ask for swaps, take, refuse and cancel them': { swaps: 'cancel refuse request take' },
    'approve swaps': { swaps: 'approve' },
    'check in and out': { attendance: 'checkIn checkOut' },
    'correct attendance, and let people check in by code again': { attendance: 'unlock update' },
    'approve worked hours, which fixes their pay': { attendance: 'approve' },
    'say when people can work': {
      availabilityExceptions: 'create createMany delete update',
      availabilityPatterns: 'create createMany delete update',
    },
  },
  'users:write': {
    'create, change and delete users who are no admins, save the e-mail address of somebody who has a password': {
      users: 'create createMany delete update',
    },
    'invite users, which makes links to set a first password': { invitations: 'create createMany' },
    'add, change and delete qualifications held': { userQualifications: 'create createMany delete update' },
  },
  webhooks: {
    'manage webhooks, and read and resend their messages': {
      webhooks:
        'attemptsOf create delete disable enable get list listAttempts listMessages messagePagesOf resend resendSince rotate test update',
    },
  },
  full: {
    'change the settings of the business': { business: 'update' },
    'manage API keys': { apiKeys: 'create list revoke revokeAll' },
    'set passwords of others': { passwords: 'reset' },
    'approve and revoke screens': { screens: 'approve get list revoke' },
    'read the audit trail and the history': { audit: 'list', history: 'list pagesOf' },
    'change their own password': { passwords: 'change' },
    'list and end their log-ins': { sessions: 'list revoke revokeOthers', tokens: 'revokeAllOwn' },
    'make and revoke calendar feeds': { feeds: 'create revoke rotate' },
    'choose which mails they get': { mails: 'setOwn' },
  },
};

/** Verbs of operations by their noun. */
type Operations = Readonly<Record<string, string>>;

function operationsOfCatalogs(verbs: string): Operations {
  return Object.fromEntries(allCatalogs.map(({ many }) => [many, verbs]));
}

interface Grant {
  readonly holder: Holder;
  readonly words: string;
  readonly operations: readonly string[];
}

export const grants: readonly Grant[] = Object.entries(table).flatMap(([holder, phrases]) =>
  Object.entries(phrases).map(([words, nouns]) => ({
    holder: holder as Holder,
    words,
    operations: Object.entries(nouns).flatMap(([noun, verbs]) => verbs.split(' ').map((verb) => `${noun}.${verb}`)),
  })),
);

export const isGranted = (operation: string, to: Holder): boolean =>
  grants.some(({ holder, operations }) => holder === to && operations.includes(operation));

const phrasesOf = (of: Holder) => grants.filter(({ holder }) => holder === of).map(({ words }) => words);

const ofAll: Partial<Record<CredentialScope, string>> = {
  read: 'read and export all that the role may see',
  full: `do all that the role may do; only with it, callers ${phrasesOf('full').join('; ')}; create, change and delete admins`,
};

/** Rights of a scope, as part of a sentence. */
export const scopeWords = (scope: CredentialScope): string => ofAll[scope] ?? phrasesOf(scope).join('; ');

export const screenSentence = `A screen may ${phrasesOf('screen').join('; ')}.`;
