import { ArgsType, InputType } from 'type-graphql';
import { inputFrom } from '../model/input-from.ts';
import { period, reportFilter, reportInput } from '../services/reports-input.ts';
import { workReportInput } from '../services/work-report.ts';

@InputType('ReportFilter', { description: 'Filter of a report. All given conditions must hold.' })
class ReportFilterInput extends inputFrom(reportFilter) {}

/** The span of time that a report covers. */
@ArgsType()
export class PeriodArgs extends inputFrom({ properties: period }) {}

@ArgsType()
export class ReportArgs extends inputFrom(reportInput, { filter: ReportFilterInput }) {}

@ArgsType()
export class WorkReportArgs extends inputFrom(workReportInput, { filter: ReportFilterInput }) {}
