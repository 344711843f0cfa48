import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

/* A mail server for tests. How it treats a mail depends on the first word of the address, before the dash. */

interface ReceivedMail extends ParsedMail {
  /** The address that it was handed over to. */
  readonly recipient: string;
}

interface MailServer {
  readonly url: string;
  readonly received: ReceivedMail[];
  /** Addresses of the commands RCPT, in their order. */
  readonly tried: string[];
  /** How it refuses the service itself; null: it does not. */
  refuses: 'greeting' | 'logIn' | 'sender' | 'line' | null;
  /** Connections that were opened, or mails begun where it refuses the sender. */
  asked: number;
  /** Milliseconds that each mail takes. */
  delayMs: number;
  to(address: string): ReceivedMail[];
  /** Ends the connections that the service keeps. */
  disconnect(): void;
  close(): Promise<void>;
}

const refusal = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode });

/**
 * `bounce`: refused for good. `later`: put off at first. `later2`: put off behind the body at first. `drop`: the line is dropped at
 * first, behind the body. `hang`: never answered behind the body.
 */
export async function startMailServer(at = 0): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const tried: string[] = [];
  const recipientOf = ({ envelope: { rcptTo } }: SMTPServerSession) => rcptTo[0]!.address;
  const isFirst = (address: string) => tried.filter((each) => each === address).length === 1;
  const kindOf = (address: string) => address.split('-')[0]!;
  const sockets = new Map<string, Socket>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onConnect(_session, done) {
      mailServer.asked += 1;
      done(mailServer.refuses === 'greeting' ? refusal(421, 'Closing') : undefined);
    },
    onAuth({ username }, _session, done) {
      done(mailServer.refuses === 'logIn' ? refusal(535, 'Unknown') : null, { user: username });
    },
    onMailFrom(_address, _session, done) {
      done(mailServer.refuses === 'sender' ? refusal(550, 'Who is that') : undefined);
    },
    onRcptTo({ address }, _session, done) {
      tried.push(address);
      if (kindOf(address) === 'bounce') done(refusal(550, 'No such user\u0007 here'));
      else if (kindOf(address) === 'later' && isFirst(address)) done(refusal(451, 'Try again'));
      else done();
    },
    onData(stream, session, done) {
      const recipient = recipientOf(session);
      const take = async () => {
        const mail = await simpleParser(stream);
        if (mailServer.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, mailServer.delayMs));
        const kind = kindOf(recipient);
        if (kind === 'hang') return;
        if (kind === 'later2' && isFirst(recipient)) return done(refusal(452, 'Full'));
        received.push(Object.assign(mail, { recipient }));
        if (kind === 'drop' && isFirst(recipient)) return sockets.get(`${session.remotePort}`)?.destroy();
        done();
      };
      void take();
    },
  });
  server.server.on('connection', (socket: Socket) => {
    sockets.set(`${socket.remotePort}`, socket);
    if (mailServer.refuses === 'line') socket.destroy();
  });
  server.on('error', () => undefined);
  server.listen(at, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const mailServer: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    received,
    tried,
    refuses: null,
    asked: 0,
    delayMs: 0,
    to: (address) => received.filter(({ recipient }) => recipient === address),
    disconnect: () => {
      for (const socket of sockets.values()) socket.destroy();
    },
    close: () => {
      mailServer.disconnect();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return mailServer;
}

/** The secret in the link of a mail. */
export function secretIn({ text = '' }: Pick<ParsedMail, 'text'>, path: string): string {
  const [, secret] = new RegExp(`https://staff\\.callboard\\.example/app/${path}#([\\w.-]+)`).exec(text) ?? [];
  if (!secret) throw new Error(`There is no link to ${path} in: ${text}`);
  return secret;
}
