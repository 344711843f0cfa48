import { ObjectType } from 'type-graphql';
import { swapFields, swapOptionFields, type SwapOptionRow, type SwapRow } from '../fields/swaps.ts';
import { connectionTo } from './connection-to.ts';
import { objectOf } from './fields.ts';
import { Node } from './nodes.ts';

@ObjectType({
  description:
    "A person's wish to hand over a shift, or to swap it for that of somebody else, and what has become of it.",
  implements: Node,
})
export class ShiftSwap extends objectOf<SwapRow>(swapFields) {}

@ObjectType({ description: 'A page of swaps of shifts, the newest first.' })
export class ShiftSwapConnection extends connectionTo(ShiftSwap, 'ShiftSwap', 'swaps') {}

@ObjectType({
  description:
    'A way to give a shift away: to a colleague, whose id is `databaseId`, or in exchange for a shift of theirs.',
})
class SwapOption extends objectOf<SwapOptionRow>(swapOptionFields) {}

@ObjectType({ description: 'A page of ways to give a shift away, by the names of colleagues.' })
export class SwapOptionConnection extends connectionTo(SwapOption, 'SwapOption', 'swap options') {}
