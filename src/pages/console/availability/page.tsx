import { setZone } from '../../time/span.ts';
import { useViewer } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { Page } from '../parts/frame.tsx';
import { Availability } from './availability.tsx';

const ownZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** When the viewer can work, by the clocks of where they are. */
export default function AvailabilityPage() {
  const { availability: texts } = useMessages();
  const { user } = useViewer();
  setZone(ownZone);
  return <Page title={texts.title}>{user && <Availability userId={user.id} />}</Page>;
}
