import { graphql, rest, turns } from './requests.ts';
import { documents } from './shapes.ts';
import { afresh, type Parts, type Plan } from './targets.ts';

/** Reads of one event. */
export function singlePlans({ scene: { main, events }, targets: { ours, postgraphile } }: Parts): Plan[] {
  const uuids = () => {
    const turn = turns(events.length);
    return () => events[turn() - 1]?.uuid ?? '';
  };
  const restAfresh = (path: string) => {
    const uuid = uuids();
    return ours(() => rest.get(main.key, rest.afresh(`${path}/${uuid()}`)));
  };
  const asked = (document: string) => {
    const [uuid, request] = [uuids(), graphql(document)];
    return () => request({ businessId: main.id, uuid: uuid() });
  };
  return [
    { name: 'event-rest', title: `one event, REST, ${afresh}`, targets: () => [restAfresh('/v1/events')] },
    {
      name: 'event',
      title: `one event, GraphQL, ${afresh}`,
      targets: () => {
        const [uuid, request] = [uuids(), graphql(documents.service.event, main.key)];
        return [ours(() => request({ uuid: uuid() })), postgraphile(asked(documents.postgraphile.event))];
      },
    },
    {
      name: 'shifts',
      title: `shifts of an event, REST, ${afresh}`,
      targets: () => [restAfresh('/v1/work_shifts/event')],
    },
  ];
}
