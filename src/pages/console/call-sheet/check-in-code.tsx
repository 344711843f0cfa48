import { PrintedCodeDocument } from '../../../generated/pages/console/call-sheet.ts';
import { create } from 'qrcode';
import { useRead } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { Loaded } from '../parts/notice.tsx';
import { type SheetEvent } from './data.ts';

/** Light modules around the code, without which cameras do not find it. */
const margin = 4;

/** The printed code of a day as a QR code. It opens the page to check in, with the secret behind the `#`, which no server is sent. */
export function CheckInCode({ event: { uuid, title }, day }: { event: SheetEvent; day: string }) {
  const { callSheet: texts } = useMessages();
  const read = useRead(PrintedCodeDocument, { id: uuid, day });
  return (
    <Loaded read={read}>
      {({ checkInCode }) => {
        if (!checkInCode.printedCode) return null;
        const { modules } = create(`${location.origin}/app/check-in#${uuid}.${checkInCode.printedCode}`);
        const size = modules.size + 2 * margin;
        const squares = Array.from({ length: modules.size ** 2 }, (_, index) =>
          modules.data[index] ? `M${index % modules.size} ${Math.floor(index / modules.size)}h1v1h-1z` : '',
        );
        return (
          <figure>
            <svg
              role="img"
              aria-label={texts.qr(title)}
              viewBox={`${-margin} ${-margin} ${size} ${size}`}
              shapeRendering="crispEdges"
            >
              <path fill="#fff" d={`M${-margin} ${-margin}h${size}v${size}h${-size}z`} />
              <path fill="#000" d={squares.join('')} />
            </svg>
            <figcaption>{texts.checkIn}</figcaption>
          </figure>
        );
      }}
    </Loaded>
  );
}
