import { EndingQualificationsDocument } from '../../../generated/pages/console/qualifications.ts';
import { Link } from 'wouter';
import { useRead } from '../../application/data.ts';
import { formatDate } from '../../time/dates.ts';
import { useMessages } from '../messages/messages.ts';

/** The next qualifications of staff that end; nothing if none does. */
export function EndingQualifications() {
  const { qualifications, language } = useMessages();
  const { ending: texts } = qualifications;
  const { totalCount = 0, nodes = [] } = useRead(EndingQualificationsDocument).data?.ending ?? {};
  if (nodes.length === 0) return null;
  return (
    <section aria-labelledby="ending">
      <h2 id="ending">{texts.title}</h2>
      <ul>
        {nodes.map(({ held: { id, validUntil, qualification, user }, shifts }) => (
          <li key={id}>
            <Link href={`/people/${encodeURIComponent(user.id)}`}>{user.name}</Link>
            <span>{texts.line(qualification.name, formatDate(validUntil!, 'long', language))}</span>
            {shifts.length > 0 && <strong>{texts.endangered(shifts.length)}</strong>}
          </li>
        ))}
      </ul>
      {totalCount > nodes.length && <p>{texts.more(totalCount - nodes.length)}</p>}
    </section>
  );
}
