import type { Service } from './app.ts';
import { eventTexts } from './event-fields.ts';
import type { Tenant } from './factories.ts';

/** Two events: `Full` has every field set and every kind of child, `Bare` only what an event must have. */
export async function createFullAndBare(service: Service, { business, staff, client }: Tenant): Promise<void> {
  const full = await service.createEvent(business, {
    ...eventTexts,
    title: 'Full',
    clientId: client.id,
    latitude: '40.7500',
    longitude: '-73.99',
    startTbd: true,
  });
  await service.createEvent(business, { title: 'Bare' });
  const bartender = await service.createPosition(business, { title: 'Bartender', defaultPayRate: '21.5' });
  const skill = await service.prisma.skillLevel.create({ data: { businessId: business.id, name: 'Expert' } });
  const { id: callTimeId } = await service.createCallTime(full, {
    start: '2026-12-05 17:00:00',
    positionId: bartender.id,
    skillLevelId: skill.id,
    payRate: '30',
    payUnit: 'day',
    notesForStaff: 'Side door',
    dressCode: 'Apron',
    endTbd: true,
  });
  await service.createCallTime(full, { start: '2026-12-05 17:00:00', positionId: bartender.id, payUnit: 'flat' });
  await service.createCallTime(full, { positionId: bartender.id });
  await service.createShift(full, staff, { callTimeId, positionId: bartender.id, payRate: '19.99', confirmed: true });
  await service.createShift(full, staff, { start: null, end: null });
  for (const [name, sort] of [
    ['Last', 9],
    ['First', 1],
    ['Also last', 9],
  ] as const)
    await service.setCustomValue(full, await service.createCustomField(business, { name, sort }), `${name} value`);
}
