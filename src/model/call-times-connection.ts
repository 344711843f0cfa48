import { ObjectType } from 'type-graphql';
import { CallTime } from './call-times.ts';
import { connectionTo } from './connection-to.ts';

@ObjectType({ description: 'A page of call times, by start.' })
export class CallTimeConnection extends connectionTo(CallTime, 'CallTime', 'call times') {}
