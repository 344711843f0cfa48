import { expect } from '@jest/globals';
import type { CallTime, OfferState, User } from '../../src/generated/prisma/client.ts';
import type { TestAnswer, Service } from './app.ts';
import type { Tenant } from './factories.ts';

export interface AskedPerson extends User {
  readonly token: string;
}

/** Calls about offers, through REST, and what is stored of them. */
export function offersOf(service: Service, tenant: Tenant) {
  const post = (as: string, url: string, body?: object) => service.call('POST', url, { as, ...(body && { body }) });
  const partOf = (callTime: Pick<CallTime, 'id'>, { id: userId }: Pick<User, 'id'>) =>
    service.prisma.offerRecipient.findFirstOrThrow({
      where: { businessId: tenant.business.id, callTimeId: callTime.id, userId },
      orderBy: { id: 'desc' },
    });
  const answer = async (callTime: CallTime, person: AskedPerson, action: string, body?: object, as = person.token) => {
    const { uuid } = await partOf(callTime, person);
    return post(as, `/v1/offer_recipients/${uuid}/actions/${action}`, body);
  };
  return {
    post,
    partOf,
    answer,
    newPeople: (count: number): Promise<AskedPerson[]> =>
      Promise.all(
        Array.from({ length: count }, async () => {
          const user = await service.createUser(tenant.business, 'staff');
          return { ...user, token: await service.tokenOf(user) };
        }),
      ),
    send: (callTime: Pick<CallTime, 'uuid'>, people: readonly Pick<User, 'id'>[], more: object = {}) =>
      post(tenant.as.admin, '/v1/offers', {
        call_time_uuid: callTime.uuid,
        user_ids: people.map(({ id }) => id),
        ...more,
      }),
    accept: (callTime: CallTime, person: AskedPerson) => answer(callTime, person, 'accept'),
    decline: (callTime: CallTime, person: AskedPerson) => answer(callTime, person, 'decline'),
    statesOf: async (callTime: CallTime, people: readonly AskedPerson[]): Promise<OfferState[]> =>
      Promise.all(people.map(async (person) => (await partOf(callTime, person)).state)),
    shiftsOn: ({ id: callTimeId }: Pick<CallTime, 'id'>) =>
      service.prisma.workShift.findMany({
        where: { businessId: tenant.business.id, callTimeId, status: 'active' },
        orderBy: { id: 'asc' },
      }),
  };
}

/** Checks that an answer has a status and, if it refuses, a code, and returns its data. */
// oxlint-disable-next-line no-explicit-any -- tests look into answers freely
export function expectAnswer({ status, body }: TestAnswer, expected: number, code?: string): any {
  expect({ status, code: body.code, message: body.message }).toMatchObject({ status: expected, ...(code && { code }) });
  return body.data;
}
