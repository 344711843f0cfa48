import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import type { CallTimeRow } from '../db/call-times.ts';
import { PayUnit } from './enums.ts';
import { Version } from './versions.ts';

@ObjectType({ description: 'How many people of a position an event needs, and when.', simpleResolvers: true })
export class CallTime implements CallTimeRow {
  @Field(() => Int, { description: 'Numeric id, as in REST.' })
  id!: CallTimeRow['id'];

  @Field(() => ID, { description: 'What the call time is named by.' })
  uuid!: CallTimeRow['uuid'];

  eventId!: CallTimeRow['eventId'];

  @Field(() => Int, { description: 'Id of the position.' })
  positionId!: CallTimeRow['positionId'];

  @Field(() => String, { description: 'Title of the position.' })
  position!: CallTimeRow['position'];

  timezone!: CallTimeRow['timezone'];

  @Field(() => Int, { nullable: true, description: 'Id of the skill level asked for.' })
  skillLevelId!: CallTimeRow['skillLevelId'];

  @Field(() => Int, { description: 'Number of staff needed.' })
  staffNeeded!: CallTimeRow['staffNeeded'];

  @Field(() => String, { description: 'Start as the clocks at the event show it: `YYYY-MM-DD HH:MM:SS`.' })
  startTime!: CallTimeRow['startTime'];

  @Field(() => GraphQLDateTimeISO, { description: 'Start as an instant, UTC.' })
  startsAt!: CallTimeRow['startsAt'];

  @Field(() => Boolean, { description: 'Whether the start is still to be determined.' })
  startTimeTbd!: CallTimeRow['startTimeTbd'];

  @Field(() => String, { description: 'End as the clocks at the event show it: `YYYY-MM-DD HH:MM:SS`.' })
  endTime!: CallTimeRow['endTime'];

  @Field(() => GraphQLDateTimeISO, { description: 'End as an instant, UTC.' })
  endsAt!: CallTimeRow['endsAt'];

  @Field(() => Boolean, { description: 'Whether the end is still to be determined.' })
  endTimeTbd!: CallTimeRow['endTimeTbd'];

  @Field(() => String, { nullable: true, description: 'Notes shown to staff.' })
  notesForStaff!: CallTimeRow['notesForStaff'];

  @Field(() => Float, {
    nullable: true,
    description:
      "Pay rate in USD; the position's default where the call time has none of its own. Null for who is no admin.",
  })
  payRate!: CallTimeRow['payRate'];

  @Field(() => PayUnit, { description: 'What the pay rate is paid for.' })
  payUnit!: CallTimeRow['payUnit'];

  @Field(() => String, { nullable: true, description: 'Dress code for this call time.' })
  dressCode!: CallTimeRow['dressCode'];

  @Field(() => GraphQLDateTimeISO, { description: 'Created, UTC.' })
  createdAt!: CallTimeRow['createdAt'];

  @Field(() => GraphQLDateTimeISO, { description: 'Last modified, UTC.' })
  modifiedAt!: CallTimeRow['modifiedAt'];

  @Version()
  version!: CallTimeRow['version'];
}
