import { ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import type * as stored from '../generated/prisma/client.ts';
import { CredentialScope } from './enums.ts';
import { Node } from './nodes.ts';
import { field, objectWith } from './shapes.ts';

type ApiKeyRow = Pick<stored.ApiKey, 'name' | 'lastFour' | 'createdAt' | 'lastUsedAt' | 'scopes' | 'expiresAt'> & {
  id: string;
};

@ObjectType({
  description: 'A business API key: a long-lived credential for backend services. The key itself is not shown.',
  implements: Node,
})
export class ApiKey
  extends objectWith({
    id: field.id('Public part of the key, by which REST names it.', { name: 'publicId', simple: false }),
    name: field.text('Purpose of the key.'),
    lastFour: field.text('The last four characters of the key.'),
    createdAt: field.instant('Created, UTC.'),
    lastUsedAt: field.instant.orNull(`Last used, UTC, to ${limits.resolutionS} seconds; null if never.`),
    scopes: field.of([CredentialScope])('What the key may do.'),
    expiresAt: field.instant.orNull('When the key ends, UTC; null if it does not expire.'),
  })
  implements ApiKeyRow {}

@ObjectType({ description: 'A business API key that was just made.' })
export class NewApiKey extends objectWith({
  apiKey: field.of(ApiKey)('The key as it is shown from now on.'),
  key: field.text('The key itself, to be sent as a bearer credential. Shown only once.'),
}) {}

@ObjectType({ description: 'A revocation of credentials.' })
export class Revocation extends objectWith({
  revoked: field.int('Number of revoked credentials.'),
}) {}
