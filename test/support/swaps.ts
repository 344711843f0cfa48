import type { SwapState } from '../../src/generated/prisma/client.ts';
import type { Service } from './app.ts';
import type { Tenant } from './factories.ts';
import { expectAnswer, type AskedPerson } from './offers.ts';

/** Calls about swaps, through REST, and what is stored of them. */
export const swapsOf = (service: Service, tenant: Tenant) => ({
  set: async (body: object) =>
    expectAnswer(await service.call('PUT', '/v1/business', { as: tenant.as.admin, body }), 200),
  request: ({ token }: AskedPerson, body: object) => service.call('POST', '/v1/shift_swaps', { as: token, body }),
  act: (as: string, { uuid }: { readonly uuid: string }, action: string, body?: object) =>
    service.call('POST', `/v1/shift_swaps/${uuid}/actions/${action}`, { as, ...(body && { body }) }),
  stateOf: async ({ uuid }: { readonly uuid: string }): Promise<SwapState> =>
    (await service.prisma.shiftSwap.findFirstOrThrow({ where: { businessId: tenant.business.id, uuid } })).state,
});
