import { GraphQLCurrency } from 'graphql-scalars';
import { ObjectType } from 'type-graphql';
import { payrollGroup, payrollSums } from '../fields/payroll.ts';
import { resultOf, resultOn } from './fields.ts';
import { field, objectWith } from './shapes.ts';

@ObjectType({ description: 'Sums of active shifts. The pay of a shift is rounded to cents before anything is added.' })
class PayrollSums extends resultOf(payrollSums) {}

@ObjectType({ description: 'The shifts of one person in one week, at one rate.' })
class PayrollRow extends resultOn(PayrollSums, payrollGroup) {}

@ObjectType({ description: 'What people are paid in a span of days, by person, week and rate.' })
export class Payroll extends objectWith({
  total: field.of(PayrollSums)('All rows together.'),
  rows: field.of([PayrollRow])('By name of the person, week and rate.'),
  currency: field.of(GraphQLCurrency)('Currency of the amounts (ISO 4217).'),
}) {}
