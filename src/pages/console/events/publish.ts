import { SetEventStatusDocument } from '../../../generated/pages/console/events.ts';
import { useMessages } from '../messages/messages.ts';
import { useWrite } from '../../application/data.ts';
import { showToast } from '../parts/toast.tsx';
import type { EventStatus } from './address.ts';
import type { CalendarEvent } from './data.ts';

/** Most events of one call. */
const batchMax = 100;

type Named = Pick<CalendarEvent, 'uuid' | 'version' | 'title'>;

/** Publishes drafts, and offers to take it back. Returns what was refused. */
export function usePublishing() {
  const { events: texts } = useMessages();
  const { write, isPending } = useWrite(SetEventStatusDocument);

  async function setStatus(events: readonly Named[], status: EventStatus) {
    const changed: Named[] = [];
    const refused: string[] = [];
    for (let from = 0; from < events.length; from += batchMax) {
      const batch = events.slice(from, from + batchMax);
      const inputs = batch.map(({ uuid, version }) => ({ eventId: uuid, version, status }));
      const { data, fault } = await write({ inputs });
      if (fault) {
        refused.push(fault.message);
        break;
      }
      for (const [index, { event, error }] of data.updateEvents.entries()) {
        const { title } = batch[index]!;
        if (event) changed.push({ ...event, title });
        else refused.push(texts.refused(title, error?.message ?? ''));
      }
    }
    return { changed, refused };
  }

  async function publish(events: readonly Named[]): Promise<readonly string[]> {
    const { changed, refused } = await setStatus(events, 'ACTIVE');
    const undo = async () => {
      const back = await setStatus(changed, 'DRAFT');
      showToast({ text: [texts.unpublished(back.changed.length), ...back.refused].join(' ') });
    };
    if (changed.length > 0) showToast({ text: texts.published(changed.length), undo: () => void undo() });
    return refused;
  }
  return { publish, isPending };
}
