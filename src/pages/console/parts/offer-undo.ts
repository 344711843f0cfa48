import { refreshReads, type Fault } from '../../application/data.ts';
import { showToast } from './toast.tsx';

/**
 * Says what has been done, and offers to write back what was there before; that is refused when somebody has changed it since.
 * `notBack` is said of what writing back does not bring back.
 */
export function offerUndo(
  text: string,
  writeBack: () => Promise<{ readonly fault: Fault | null }>,
  texts: Texts,
  notBack: readonly string[] = [],
): void {
  const undo = async () => {
    const { fault } = await writeBack();
    // Whoever goes on at once changes what is stored now.
    await refreshReads();
    const isLate = fault?.code === 'PRECONDITION_FAILED';
    showToast({ text: isLate ? texts.changedSince : (fault?.message ?? [texts.undone, ...notBack].join(' ')) });
  };
  showToast({ text, undo: () => void undo() });
}

type Texts = Readonly<Record<'undone' | 'changedSince', string>>;
