import { readZone } from '../../board/span.ts';
import { formatMoment } from '../../board/zones.ts';
import { useRead } from '../data.ts';
import { useMessages } from '../messages/messages.ts';
import { Empty, Loaded } from '../parts/notice.tsx';
import { historyQuery, type HistoryData } from './data.ts';

/** Who changed what of a person, and when, newest first. */
export function History({ id }: { id: number }) {
  const { history: texts } = useMessages().person;
  const read = useRead<HistoryData>(historyQuery, { id });
  const show = (value: unknown) =>
    value === null || value === undefined || value === ''
      ? texts.nothing
      : typeof value === 'string'
        ? value
        : JSON.stringify(value);
  return (
    <Loaded read={read}>
      {({ history: { nodes } }) =>
        nodes.length === 0 ? (
          <Empty title={texts.none} />
        ) : (
          <ol className="pp-history">
            {nodes.map(({ at, actorName, change, fields }) => (
              <li key={at}>
                <time dateTime={at}>{formatMoment(Date.parse(at), readZone())}</time>
                <div>
                  {actorName ?? texts.somebody} {texts.changes[change]}
                  {change === 'UPDATED' && (
                    <ul>
                      {fields
                        .filter(({ name }) => name in texts.fields)
                        .map(({ name, before, after }) => (
                          <li key={name}>{texts.changed(texts.fields[name]!, show(before), show(after))}</li>
                        ))}
                    </ul>
                  )}
                </div>
              </li>
            ))}
          </ol>
        )
      }
    </Loaded>
  );
}
