import type { GraphQLObjectType, GraphQLSchema } from 'graphql';
import { Ctx, Field, FieldResolver, Resolver, Root } from 'type-graphql';
import { Attendance } from '../model/attendance.ts';
import { CallTime } from '../model/call-times.ts';
import { OfferRecipient } from '../model/offers.ts';
import { Position } from '../model/positions.ts';
import { ShiftSwap } from '../model/swaps.ts';
import { WorkShift } from '../model/work-shifts.ts';
import type { Context } from './context.ts';

/**
 * The position of a call time or a shift. Its id and title came with that row; its other fields, which few ask for, are read when
 * they are asked for.
 */
export type PositionOfRow = Pick<Position, 'id' | 'title'> & Partial<Position>;

interface RowWithPosition {
  readonly positionId: number;
  /** Title of the position. */
  readonly position: string;
}

const withTitle = 'The position, whose title `position` is.';

/** The fields that give the position of a row. */
const fields = [
  [CallTime, 'position', 'Position of the people that the call time needs.'],
  [WorkShift, 'position', 'Position that the staff member works in.'],
  [OfferRecipient, 'fullPosition', withTitle],
  [ShiftSwap, 'fullPosition', withTitle],
  [Attendance, 'fullPosition', withTitle],
] as const;

for (const [type, name, description] of fields) Field(() => Position, { description })(type.prototype, name);

const readPosition = ({ positionId, position }: RowWithPosition): PositionOfRow => ({
  id: positionId,
  title: position,
});

/** A board has a position for each of its hundreds of rows: src/guide/performance.md#positions */
export function readPositionsOfRows(schema: GraphQLSchema): void {
  for (const [{ name: type }, name] of fields) {
    const rows = schema.getType(type) as GraphQLObjectType<RowWithPosition, Context> | undefined;
    const field = rows?.getFields()[name];
    if (field) field.resolve = readPosition;
  }
}

@Resolver(() => Position)
export class PositionFields {
  @FieldResolver()
  async defaultPayRate(@Root() position: PositionOfRow, @Ctx() context: Context) {
    return position.defaultPayRate === undefined
      ? (await readWhole(position, context)).defaultPayRate
      : position.defaultPayRate;
  }

  @FieldResolver()
  async payUnit(@Root() position: PositionOfRow, @Ctx() context: Context) {
    return position.payUnit ?? (await readWhole(position, context)).payUnit;
  }

  @FieldResolver()
  async billRate(@Root() position: PositionOfRow, @Ctx() context: Context) {
    return position.billRate === undefined ? (await readWhole(position, context)).billRate : position.billRate;
  }

  @FieldResolver()
  async billUnit(@Root() position: PositionOfRow, @Ctx() context: Context) {
    return position.billUnit ?? (await readWhole(position, context)).billUnit;
  }

  @FieldResolver()
  async rates(@Root() position: PositionOfRow, @Ctx() context: Context) {
    return position.rates === undefined ? (await readWhole(position, context)).rates : position.rates;
  }

  @FieldResolver()
  async requirements(@Root() position: PositionOfRow, @Ctx() context: Context) {
    return position.requirements ?? (await readWhole(position, context)).requirements;
  }

  @FieldResolver()
  async version(@Root() position: PositionOfRow, @Ctx() context: Context) {
    return position.version ?? (await readWhole(position, context)).version;
  }
}

/** A position that a row points to cannot be deleted, so it is there unless another change came between two statements. */
async function readWhole({ id }: PositionOfRow, { loaders }: Context) {
  const position = await loaders.positionById.load(id);
  if (!position) throw new Error('The position has been deleted meanwhile.');
  return position;
}
