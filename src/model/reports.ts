import { ObjectType } from 'type-graphql';
import { reportGroupFields } from '../fields/reports.ts';
import { resultOf } from './fields.ts';

/** Fields that the groups of every report have. */
@ObjectType()
export class ReportGroup extends resultOf(reportGroupFields) {}
