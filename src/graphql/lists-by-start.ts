import { ArgsType, InputType } from 'type-graphql';
import { inputFrom } from '../model/input-from.ts';
import { filteredPage } from '../model/page-args.ts';
import { field, inputOn } from '../model/shapes.ts';
import { callTimeFilter } from '../services/call-times.ts';
import { shiftFilter, sortByStart } from '../services/work-shifts.ts';

/* Arguments of lists by start. */

@InputType('StartSort', { description: 'Order of a list by start. Where two are equal, their ids decide.' })
class StartSortInput extends inputFrom(sortByStart) {}

const sort = field.of(StartSortInput);
const byStart = 'Order of the list. Default: by start, oldest first.';

@ArgsType()
export class CallTimePageArgs extends filteredPage('CallTimeFilter', callTimeFilter, 'call times') {}

@ArgsType()
export class CallTimeListArgs extends inputOn(CallTimePageArgs, { sort: sort.orNull(byStart) }) {}

@ArgsType()
export class WorkShiftPageArgs extends inputOn(filteredPage('WorkShiftFilter', shiftFilter, 'shifts'), {
  sort: sort.orNull(`${byStart} A start to be determined comes last in both directions.`),
}) {}
