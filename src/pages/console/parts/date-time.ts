import { useViewer } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';

/** Formats instants as the clocks of the business show them. */
export function useDateTime(): (iso: string) => string {
  const { language } = useMessages();
  const { timezone } = useViewer().business;
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: timezone });
  return (iso) => format.format(new Date(iso));
}
