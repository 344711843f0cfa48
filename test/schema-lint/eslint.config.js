import { fileURLToPath } from 'node:url';
import graphql from '@graphql-eslint/eslint-plugin';

/** @graphql-eslint over schema.graphql: its recommended rules and those for Relay. Options say what is left out, and why. */
export default [
  {
    files: ['**/*.graphql'],
    plugins: { '@graphql-eslint': graphql },
    languageOptions: {
      parser: graphql.parser,
      parserOptions: { graphQLConfig: { schema: fileURLToPath(new URL('../../schema.graphql', import.meta.url)) } },
    },
    rules: {
      ...graphql.configs['flat/schema-recommended'].rules,
      ...graphql.configs['flat/schema-relay'].rules,
      // Lists are read forwards only, so they take no `last` and `before`.
      '@graphql-eslint/relay-arguments': ['error', { includeBoth: false }],
      // A connection has `nodes` beside `edges`, and a list that is short by its nature is no connection.
      // The edges of Candidate, Conflict, ExpiringQualification, HistoryEntry, OpenCallTime and SwapOption, which are no Nodes, are in
      // suppressions.json: an entry of the history is only read together with others, and the rest are computed.
      '@graphql-eslint/relay-edge-types': [
        'error',
        { withEdgeSuffix: true, shouldImplementNode: true, listTypeCanWrapOnlyEdgeType: false },
      ],
      '@graphql-eslint/strict-id-in-types': [
        'error',
        {
          acceptedIdNames: ['id'],
          acceptedIdTypes: ['ID'],
          exceptions: {
            // A part of a list, of a report, or of the answer to a mutation: no row of its own.
            suffixes: ['Connection', 'Edge', 'Report', 'Group', 'Payload', 'Result', 'Error', 'Page'],
            types: [
              // The same as the suffixes say.
              'PageInfo',
              'Work',
              'Moved',
              'ReworkedShift',
              'Login',
              'NewApiKey',
              'NewFeed',
              'WebhookEndpointWithSecret',
              'WebhookResend',
              'WebhookAttempt',
              'Revocation',
              'Session',
              'Invitation',
              'ClaimedInvitation',
              'Change',
              // Values of the object that they are read from.
              'ZonedTime',
              'PositionRate',
              'Coverage',
              'LabourCost',
              'Requirement',
              // Computed from rows that have ids, and not stored.
              'Clash',
              'Conflict',
              'Availability',
              'Candidate',
              'CandidateReason',
              'CandidateReliability',
              'CandidateScore',
              'OpenCallTime',
              'SwapOption',
              'ExpiringQualification',
              'Payroll',
              'PayrollSums',
              'PayrollRow',
              // Entries of the change log, which a client never changes, and their parts.
              'HistoryEntry',
              'HistoryField',
              // What a screen is shown: it reads no rows, and their global ids would open nothing for it.
              'OwnScreen',
              'ScreenBoard',
              'ScreenEvent',
              'ScreenCallTime',
              'ScreenShift',
              // A step of the pairing of a screen, of which nothing is stored.
              'ScreenCode',
              'ScreenClaim',
              // A code changes every half minute, and a screen is told only whose times it noted.
              'CheckInCode',
              'ScreenCheckInCode',
              'ScreenCheck',
              'CheckInUnlocked',
              // What the link in a mail shows or does, without a log-in, and the settings of the caller.
              'MailedOffer',
              'MailSettings',
              'Unsubscribed',
              'PasswordRequest',
              'NewPassword',
              // About the call itself; `viewer.user` has the id.
              'RateLimit',
              'Viewer',
            ],
          },
        },
      ],
    },
  },
];
