import { CandidatesDocument, type CandidatesQuery } from '../../../generated/pages/console/staffing.ts';
import { useState } from 'react';
import { Link } from 'wouter';
import { useRead } from '../../application/data.ts';
import type { CallTime } from '../model/events.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { CheckField } from '../parts/fields.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { PhoneLink } from '../parts/phone.tsx';

/* Who can work at a call time, with the reasons that the service gives. */

type Candidate = CandidatesQuery['candidates']['nodes'][number];

/** A person with what speaks for and against the assignment. */
export interface Judged {
  readonly person: Candidate['user'];
  readonly verdict: Candidate['verdict'];
  /** What the service would refuse without a reason. */
  readonly clashes: readonly string[];
  /** What is only worth knowing. */
  readonly remarks: readonly string[];
}

interface CandidatesProps {
  readonly call: CallTime;
  readonly picked: readonly Judged[];
  readonly onToggle: (judged: Judged) => void;
  /** What is wrong with the choice. */
  readonly error: string | null;
}

/** The people of the staff to choose from, found by name, the best first. */
export function Candidates({ call, picked, onToggle, error }: CandidatesProps) {
  const { staffing: texts } = useMessages();
  const [search, setSearch] = useState('');
  const [isEverybody, setIsEverybody] = useState(false);
  const read = useRead(CandidatesDocument, {
    call: call.uuid,
    search: search || null,
    verdicts: isEverybody ? null : ['READY', 'ASK'],
  });
  const toJudged = ({ user, verdict, weekHours, reasons }: Candidate): Judged => {
    const textsOf = (wanted: string) => reasons.flatMap(({ severity, text }) => (severity === wanted ? text : []));
    return {
      person: user,
      verdict,
      clashes: textsOf('HARD'),
      remarks: [...textsOf('SOFT'), texts.weekHours(weekHours)],
    };
  };
  return (
    <>
      <SearchField label={texts.search} value={search} error={error} onSearch={setSearch} />
      <Loaded read={read}>
        {({ candidates: { nodes, pageInfo } }) => (
          <>
            <People judged={nodes.map(toJudged)} picked={picked} onToggle={onToggle} />
            {pageInfo.hasNextPage && <p className="cs-hint">{texts.more}</p>}
          </>
        )}
      </Loaded>
      <CheckField label={texts.everybody} value={isEverybody} onChange={setIsEverybody} />
    </>
  );
}

interface PeopleProps {
  readonly judged: readonly Judged[];
  readonly picked: readonly Judged[];
  readonly onToggle: (judged: Judged) => void;
}

const verdicts = ['READY', 'ASK', 'BLOCKED'] as const;

function People({ judged, picked, onToggle }: PeopleProps) {
  const { staffing: texts, offers } = useMessages();
  // Who is chosen stays in sight, whatever is searched for.
  const all = [...picked.filter(({ person }) => !judged.some((each) => each.person.id === person.id)), ...judged];
  if (all.length === 0)
    return <Empty title={texts.nobodyFound} action={<Link href="/people">{texts.toPeople}</Link>} />;
  const groups = verdicts.map((verdict) => ({ verdict, people: all.filter((each) => each.verdict === verdict) }));
  return (
    <div className="st-people">
      {groups.map(
        ({ verdict, people }) =>
          people.length > 0 && (
            <fieldset key={verdict}>
              <legend>{texts.verdicts[verdict]}</legend>
              {verdict !== 'BLOCKED' && people.length > 1 && (
                <Button
                  look="quiet"
                  onClick={() => people.filter((each) => !picked.includes(each)).forEach((each) => onToggle(each))}
                >
                  {offers.all}
                </Button>
              )}
              {people.map((each) => (
                <div key={each.person.id} className="st-choice">
                  <label>
                    <input
                      type="checkbox"
                      checked={picked.some(({ person }) => person.id === each.person.id)}
                      onChange={() => onToggle(each)}
                    />
                    <span>
                      <bdi>{each.person.name}</bdi>
                      {[...each.clashes, ...each.remarks].map((text) => (
                        <small key={text}>{text}</small>
                      ))}
                    </span>
                  </label>
                  {each.person.phone && <PhoneLink name={each.person.name} phone={each.person.phone} />}
                </div>
              ))}
            </fieldset>
          ),
      )}
    </div>
  );
}
