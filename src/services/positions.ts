import Type from 'typebox';
import { limits } from '../config/limits.ts';
import { noteMomentOfRate, readPositions } from '../db/positions.ts';
import { positionCatalog } from '../fields/catalogs.ts';
import { PayUnit } from '../generated/prisma/enums.ts';
import { closed, money, oneOf, visibleText } from '../validation/schemas.ts';
import { createCatalog } from './catalogs.ts';

const required = {
  title: visibleText(limits.textChars, { description: 'Title.' }),
  defaultPayRate: money('USD per pay unit.'),
};
const payUnit = Type.Optional(oneOf(Object.values(PayUnit), 'What the rate is paid for; hour if not sent.'));

export const positions = createCatalog({
  catalog: positionCatalog,
  newRow: Type.Object({ ...required, payUnit }, closed),
  changes: Type.Partial(Type.Object({ ...required, payUnit }), closed),
  readers: 'everybody',
  readRows: readPositions,
  beforeChange: ({ db, clock }) => noteMomentOfRate(db, clock()),
});
