import { randomBytes } from 'node:crypto';
import { generateBoardToken } from '../../src/access/api-keys.ts';
import type { Business, PrismaClient, Screen, User } from '../../src/generated/prisma/client.ts';
import type { Service } from './app.ts';

/** A screen that was claimed, and its board token. */
export interface ClaimedScreen {
  readonly screen: Screen;
  readonly token: string;
}

type Columns = Partial<Omit<Screen, 'businessId' | 'id' | 'secretHash' | 'publicId'>>;

/** Stores a screen as if it had been approved and claimed, without a filter unless `more` has one. */
export async function createScreen(
  prisma: PrismaClient,
  { business, admin }: { readonly business: Pick<Business, 'id'>; readonly admin: Pick<User, 'id'> },
  more: Columns = {},
): Promise<ClaimedScreen> {
  const { key: token, publicId, secretHash } = generateBoardToken();
  const now = new Date();
  const screen = await prisma.screen.create({
    data: {
      businessId: business.id,
      name: 'Stage door',
      names: 'full',
      createdById: admin.id,
      claimableUntil: now,
      claimedAt: now,
      lastSeenAt: now,
      ...more,
      publicId,
      secretHash,
    },
  });
  return { screen, token };
}

export interface NewCode {
  readonly code: string;
  readonly secret: string;
}

/** The headers of a request from an address of its own, where the service trusts its proxy: codes are limited by address. */
export const fromFreshAddress = () => ({ 'x-forwarded-for': [198, ...randomBytes(3)].join('.') });

/** Asks for a code, as a browser without a log-in does. */
export async function issueCode(service: Service): Promise<NewCode> {
  const { body } = await service.call('POST', '/v1/screens/codes', { headers: fromFreshAddress() });
  return body.data as NewCode;
}

export const claim = async (service: Service, secret: string) =>
  (await service.call('POST', '/v1/screens/claims', { body: { secret } })).body.data;
