import Type, { type Static } from 'typebox';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { announce, beginOf, readPositions, settleRates } from '../db/positions.ts';
import { invalid } from '../errors.ts';
import { positionCatalog } from '../fields/catalogs.ts';
import { PayUnit } from '../generated/prisma/enums.ts';
import { requirements, setRequirements } from './requirements.ts';
import { closedObject, localDate, money, nullable, oneOf, optionalFields, visibleText } from '../validation/schemas.ts';
import { createCatalog } from './catalogs.ts';

const mandatory = {
  title: visibleText(limits.textChars, {
    description: 'Title, unique in the business. One that is taken is refused with `CONFLICT`.',
  }),
  defaultPayRate: money(
    'Rate in USD per `payUnit`. A new one applies to every call time and shift without a rate of its own that starts from then on.',
  ),
};
const units = Object.values(PayUnit);
const optional = {
  payUnit: Type.Optional(
    oneOf(units, 'Unit of the rate, `HOUR` if a new position has none. A new one applies like a new rate.'),
  ),
  billRate: Type.Optional(
    nullable(
      money(
        'What clients pay in USD per `billUnit`; null: not known. A new one applies to work that starts from then on; the first one to all work before it as well.',
      ),
    ),
  ),
  billUnit: Type.Optional(
    oneOf(units, 'Unit of the bill rate, `HOUR` if a new position has none. A new one applies like a new bill rate.'),
  ),
};

export const announcedRate = closedObject({
  from: localDate('First day of the rate, `YYYY-MM-DD` in the time zone of the business, after today.'),
  payRate: money('Rate in USD per `payUnit`.'),
  payUnit: Type.Optional(oneOf(units, 'Unit of the rate. Default: that of the position.')),
});

const changes = optionalFields({
  ...mandatory,
  ...optional,
  announcedRates: Type.Array(announcedRate, {
    maxItems: limits.namedItemsMax,
    description:
      'The rates that are to hold from later days on, all of them: those that are left out are withdrawn. On its day, a rate becomes the `defaultPayRate`.',
  }),
  requirements,
});

/** Rates whose day has come belong to the position before it is changed. */
async function prepareChange(
  tx: Scope,
  id: number,
  { announcedRates, requirements: required, ...sent }: Static<typeof changes>,
) {
  const now = tx.clock();
  const timezone = await settleRates(tx.db, now, id);
  const data = {
    ...sent,
    ...(sent.title !== undefined && { modifiedAt: now }),
    ...(required && (await setRequirements(tx, { positionId: id }, required))),
  };
  if (!announcedRates) return data;
  const [position] = await readPositions(tx.db, [id]);
  const unit = data.payUnit ?? position?.payUnit ?? 'hour';
  const announced = announcedRates
    .toSorted((one, other) => one.from.localeCompare(other.from))
    .map(({ from, payRate, payUnit: per = unit }) => announce(from, { payRate, payUnit: per }, timezone));
  if (new Set(announcedRates.map(({ from }) => from)).size < announced.length)
    throw invalid({ announcedRates: ['must begin on different days'] });
  if (announced.some((each) => beginOf(each) <= now))
    throw invalid({ announcedRates: [`must begin after today in ${timezone}: a rate from now on is defaultPayRate`] });
  return { ...data, announcedRates: announced };
}

export const positions = createCatalog({
  catalog: positionCatalog,
  newRow: closedObject({ ...mandatory, ...optional }),
  changes,
  readers: 'everybody',
  readRows: readPositions,
  beforeChange: prepareChange,
});
