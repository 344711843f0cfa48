/*
 * Who has which place at one event, by the rules of the guide "Fill a shift" and nothing else: a slow, plain model, in which after each
 * change everything is settled anew.
 */

export const hourMs = 3_600_000;

type PartState =
  | 'sent'
  | 'requested'
  | 'waitlisted'
  | 'filled'
  | 'declined'
  | 'accepted'
  | 'expired'
  | 'withdrawn'
  | 'refused'
  | 'ended';

export interface PlainCall {
  needed: number;
  start: number;
  end: number;
  claims: 'none' | 'approval' | 'open';
  isDeleted: boolean;
}

interface PlainShift {
  call: number | null;
  user: number;
  status: 'active' | 'canceled' | 'deleted';
  confirmed: boolean;
  start: number;
  end: number;
}

interface Offer {
  call: number;
  mode: 'first_come' | 'approval';
  expires: number;
  waiting: number[];
  waveSize: number;
  nextWave: number | null;
}

interface PlainPart {
  offer: number;
  call: number;
  user: number;
  state: PartState;
  expires: number;
  responded: boolean;
  waitlisted: number | null;
  shift: number | null;
}

interface PlainSwap {
  shift: number;
  other: number | null;
  from: number;
  to: number | null;
  state: 'requested' | 'taken' | 'done' | 'refused' | 'canceled' | 'expired' | 'void';
  expires: number;
}

const isOpen = ({ state }: PlainPart) => ['sent', 'requested', 'waitlisted'].includes(state);
const isOpenSwap = ({ state }: PlainSwap) => state === 'requested' || state === 'taken';

/** Whether somebody can do what they ask for. */
class Refused extends Error {}

function require(condition: boolean): asserts condition {
  if (!condition) throw new Refused();
}

const shared = (a: { start: number; end: number }, b: { start: number; end: number }) =>
  Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));

export class PlainPlaces {
  status: 'active' | 'draft' | 'canceled' = 'active';
  days = 0;
  readonly gone = new Set<number>();
  readonly calls: PlainCall[];
  readonly shifts: PlainShift[] = [];
  readonly offers: Offer[] = [];
  readonly parts: PlainPart[] = [];
  readonly swaps: PlainSwap[] = [];
  now: number;
  private readonly approvesSwaps: boolean;

  constructor(now: number, calls: readonly PlainCall[], approvesSwaps: boolean) {
    this.now = now;
    this.calls = calls.map((call) => ({ ...call }));
    this.approvesSwaps = approvesSwaps;
  }

  /** Makes a change, or nothing where it is refused. Returns whether it was made. */
  try(change: () => void): boolean {
    const before = this.shifts.map((shift) => ({ ...shift }));
    const calls = this.calls.map((call) => ({ ...call }));
    const kept = structuredClone([this.calls, this.shifts, this.offers, this.parts, this.swaps]);
    try {
      change();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      for (const [index, list] of [this.calls, this.shifts, this.offers, this.parts, this.swaps].entries())
        list.splice(0, list.length, ...(kept[index] as never[]));
      return false;
    }
    this.settle(before, calls);
    return true;
  }

  private assigned = (call: number) => this.shifts.filter((s) => s.call === call && s.status === 'active').length;
  private own = (call: number, user: number) =>
    this.shifts.findIndex((s) => s.call === call && s.user === user && s.status === 'active');
  private takesPlace = () => this.status !== 'canceled';
  private clashes = (user: number, time: { start: number; end: number }, except: readonly number[] = []) =>
    this.shifts.some(
      (s, at) => s.status === 'active' && s.user === user && !except.includes(at) && shared(s, time) > 0,
    );

  /** Whether the person of a shift would work twice for longer if it were at another time. */
  private overlapsMore(at: number, time: { start: number; end: number }): boolean {
    const shift = this.shifts[at]!;
    return this.shifts.some(
      (s, other) =>
        other !== at && s.status === 'active' && s.user === shift.user && shared(s, time) > shared(s, shift),
    );
  }

  private book(call: number, user: number, override: boolean, confirmed: boolean): number {
    const { start, end, needed } = this.calls[call]!;
    require(this.takesPlace() && !this.calls[call]!.isDeleted && !this.gone.has(user));
    require(override || (this.assigned(call) < needed && !this.clashes(user, { start, end })));
    return this.shifts.push({ call, user, status: 'active', confirmed, start, end }) - 1;
  }

  // What follows a change

  private settle(shiftsBefore: readonly PlainShift[], callsBefore: readonly PlainCall[]): void {
    for (const [at, call] of this.calls.entries()) {
      if (call.isDeleted) continue;
      const before = callsBefore[at];
      this.settleCall(at, before !== undefined && (before.start !== call.start || before.end !== call.end));
    }
    for (const swap of this.swaps.filter(isOpenSwap)) {
      const changed = [swap.shift, swap.other].some((at) => {
        const before = at === null ? undefined : shiftsBefore[at];
        const { confirmed: _was, ...was } = before ?? ({} as PlainShift);
        const { confirmed: _is, ...is } = at === null ? ({} as PlainShift) : this.shifts[at]!;
        return before !== undefined && JSON.stringify(was) !== JSON.stringify(is);
      });
      const left = this.gone.has(swap.from) || (swap.to !== null && this.gone.has(swap.to));
      if (changed || left || this.status !== 'active') swap.state = 'void';
    }
  }

  private settleCall(at: number, hasChanged: boolean): void {
    const call = this.calls[at]!;
    const parts = this.parts.filter((part) => part.call === at);
    for (const part of parts) {
      if (part.state !== 'accepted') continue;
      const shift = this.shifts[part.shift!]!;
      if (shift.status !== 'active' || shift.user !== part.user || shift.call !== at) part.state = 'ended';
    }
    const over = this.offers.filter((offer) => offer.call === at);
    if (this.status !== 'active' || hasChanged) {
      for (const part of parts.filter(isOpen)) part.state = 'withdrawn';
      for (const offer of over) Object.assign(offer, { waiting: [], nextWave: null });
      return;
    }
    for (const part of parts) {
      const shift = this.own(at, part.user);
      if (isOpen(part) && this.gone.has(part.user)) part.state = 'withdrawn';
      else if (isOpen(part) && part.expires <= this.now) part.state = 'expired';
      else if (shift >= 0 && (isOpen(part) || part.state === 'filled'))
        Object.assign(part, { state: 'accepted', shift });
    }
    const asked = parts.filter((part) => part.state === 'sent');
    const held = asked.filter((part) => part.waitlisted !== null).length;
    let free = call.needed - this.assigned(at) - held;
    const queue = parts.filter((part) => part.state === 'waitlisted').sort((a, b) => a.waitlisted! - b.waitlisted!);
    for (const part of queue) {
      if (free <= 0) break;
      if (call.start <= this.now || this.gone.has(part.user) || this.clashes(part.user, call)) continue;
      const hour = new Date(this.now).getUTCHours();
      const midnight = this.now - (this.now % (24 * hourMs));
      const awake = hour >= 22 ? midnight + 31 * hourMs : hour < 7 ? midnight + 7 * hourMs : this.now;
      if (call.start - this.now < 24 * hourMs || awake !== this.now)
        Object.assign(part, { state: 'sent', responded: false, expires: Math.min(awake + 2 * hourMs, call.start) });
      else Object.assign(part, { state: 'accepted', shift: this.book(at, part.user, false, true) });
      free -= 1;
    }
    if (this.assigned(at) >= call.needed) {
      for (const part of asked) part.state = 'filled';
      for (const offer of over) Object.assign(offer, { waiting: [], nextWave: null });
    } else for (const offer of over) this.sendWave(offer, this.offers.indexOf(offer), free);
  }

  private askable = (call: number, users: readonly number[]) =>
    users.filter(
      (user) =>
        !this.gone.has(user) &&
        this.own(call, user) < 0 &&
        !this.parts.some((part) => part.call === call && part.user === user && isOpen(part)),
    );

  private ask(offer: number, users: readonly number[]): void {
    const { call, expires } = this.offers[offer]!;
    for (const user of users)
      this.parts.push({ offer, call, user, expires, state: 'sent', responded: false, waitlisted: null, shift: null });
  }

  private sendWave(offer: Offer, at: number, free: number): void {
    if (offer.nextWave === null || offer.nextWave > this.now) return;
    const isOver = offer.expires <= this.now;
    const waiting = isOver || free <= 0 ? [] : this.askable(offer.call, offer.waiting);
    const asked = waiting.slice(0, offer.waveSize);
    offer.waiting = isOver ? [] : free <= 0 ? offer.waiting : waiting.slice(asked.length);
    this.ask(at, asked);
    offer.nextWave = offer.waiting.length > 0 ? this.now + hourMs : null;
  }

  // Shifts

  assign(call: number, user: number, override: boolean): void {
    this.book(call, user, override, false);
  }

  private isUnderSwap = (at: number) =>
    this.swaps.some((swap) => (isOpenSwap(swap) && swap.shift === at) || (swap.state === 'taken' && swap.other === at));

  off(at: number, status: 'canceled' | 'deleted'): void {
    const shift = this.shifts[at]!;
    require(shift.status !== 'deleted' || status === 'deleted');
    Object.assign(shift, { status, confirmed: false });
  }

  decline(at: number): void {
    require(this.shifts[at]!.status !== 'active' || !this.isUnderSwap(at));
    this.off(at, 'canceled');
  }

  confirm(at: number, confirmed: boolean): void {
    const shift = this.shifts[at]!;
    require(shift.status === 'active' && (!confirmed || this.takesPlace()));
    require(!confirmed || shift.confirmed || !this.gone.has(shift.user) || shift.end <= this.now);
    shift.confirmed = confirmed;
  }

  /** Gives an active shift to somebody. */
  give(at: number, user: number, override: boolean): void {
    const shift = this.shifts[at]!;
    if (shift.user === user) return;
    require(this.takesPlace() && !this.gone.has(user));
    require(override || !this.clashes(user, shift, [at]));
    Object.assign(shift, { user, confirmed: false });
  }

  revive(at: number, override: boolean): void {
    const shift = this.shifts[at]!;
    if (shift.status === 'active') return;
    require(this.takesPlace() && !this.gone.has(shift.user));
    const isFull = shift.call !== null && this.assigned(shift.call) >= this.calls[shift.call]!.needed;
    require(override || (!isFull && !this.clashes(shift.user, shift, [at])));
    Object.assign(shift, { status: 'active', confirmed: false });
  }

  move(at: number, call: number, override: boolean): void {
    const shift = this.shifts[at]!;
    const { start, end, needed, isDeleted } = this.calls[call]!;
    require(shift.status === 'active' && !this.gone.has(shift.user) && !isDeleted && this.takesPlace());
    if (shift.call === call) return;
    require(override || (this.assigned(call) < needed && !this.overlapsMore(at, { start, end })));
    const isSame = shift.start === start && shift.end === end;
    Object.assign(shift, { call, start, end, confirmed: shift.confirmed && isSame });
  }

  exchange(one: number, other: number, override: boolean): void {
    const [a, b] = [this.shifts[one]!, this.shifts[other]!];
    require([a, b].every((shift) => shift.status === 'active' && !this.gone.has(shift.user)));
    require(a.user !== b.user && this.takesPlace());
    require(override || !(this.overlapsMore(one, b) || this.overlapsMore(other, a)));
    const isSame = a.start === b.start && a.end === b.end;
    const [ofA, ofB] = [
      { user: a.user, confirmed: a.confirmed && isSame },
      { user: b.user, confirmed: b.confirmed && isSame },
    ];
    Object.assign(a, ofB);
    Object.assign(b, ofA);
  }

  // Offers

  send(call: number, users: readonly number[], mode: Offer['mode'], waveSize: number | null): void {
    const { start, needed, isDeleted } = this.calls[call]!;
    require(users.every((user) => !this.gone.has(user)));
    require(!isDeleted && this.status === 'active' && start > this.now && this.assigned(call) < needed);
    const askable = this.askable(call, users);
    require(askable.length > 0);
    const first = askable.slice(0, waveSize ?? askable.length);
    const waiting = askable.slice(first.length);
    const nextWave = waiting.length > 0 ? this.now + hourMs : null;
    this.ask(this.offers.push({ call, mode, expires: start, waiting, waveSize: waveSize ?? 0, nextWave }) - 1, first);
  }

  private isAsked = ({ call, user }: PlainPart) =>
    this.parts.some((part) => part.call === call && part.user === user && isOpen(part));

  private takePlace(part: PlainPart, asks: boolean, override: boolean): void {
    const { start, needed } = this.calls[part.call]!;
    require(this.status === 'active' && start > this.now);
    const held = this.parts.filter(
      (other) =>
        other !== part &&
        other.call === part.call &&
        other.state === 'sent' &&
        other.waitlisted !== null &&
        other.expires > this.now,
    ).length;
    const isFree = override || this.assigned(part.call) + held < needed;
    if (!isFree || (!override && part.state === 'filled')) {
      require(part.state === 'sent' || (part.state === 'filled' && !this.isAsked(part)));
      Object.assign(part, { state: 'waitlisted', responded: true, waitlisted: this.now, expires: start });
    } else if (asks) Object.assign(part, { state: 'requested', responded: true, expires: start });
    else
      Object.assign(part, {
        shift: this.book(part.call, part.user, override, true),
        state: 'accepted',
        responded: true,
      });
  }

  private requireMay(part: PlainPart, ...from: readonly PartState[]): void {
    require(from.includes(part.state) && !(isOpen(part) && part.expires <= this.now));
  }

  accept(at: number, isAdmin: boolean, override: boolean): void {
    const part = this.parts[at]!;
    const asks = this.offers[part.offer]!.mode === 'approval' && !isAdmin;
    if (part.state === 'accepted') {
      part.responded = true;
      if (!this.shifts[part.shift!]!.confirmed) this.confirm(part.shift!, true);
      return;
    }
    if ((asks && part.state === 'requested') || (part.state === 'waitlisted' && !isAdmin)) return;
    this.requireMay(part, 'sent', 'filled', ...(asks ? [] : (['waitlisted', 'requested'] as const)));
    this.takePlace(part, asks, override);
  }

  say(at: number, to: 'declined' | 'refused'): void {
    const part = this.parts[at]!;
    if (part.state === to) return;
    if (to === 'declined' && part.state === 'accepted' && !part.responded) return this.decline(part.shift!);
    this.requireMay(part, 'requested', ...(to === 'declined' ? (['sent', 'waitlisted'] as const) : []));
    part.state = to;
    if (to === 'declined') part.responded = true;
  }

  resend(at: number): void {
    const part = this.parts[at]!;
    const { start } = this.calls[part.call]!;
    require(part.state === 'declined' && this.status === 'active' && start > this.now);
    require(!this.isAsked(part));
    Object.assign(part, { state: 'sent', responded: false, waitlisted: null, expires: start });
  }

  withdraw(offer: number, only: number | null): void {
    const known = this.offers[offer]!;
    const parts = this.parts.filter((part) => part.offer === offer);
    require(only === null || known.waiting.includes(only) || parts.some(({ user }) => user === only));
    for (const part of parts) if (isOpen(part) && (only === null || part.user === only)) part.state = 'withdrawn';
    if (only === null) Object.assign(known, { waiting: [], nextWave: null });
  }

  claim(call: number, user: number): void {
    const { claims, start, isDeleted } = this.calls[call]!;
    require(!isDeleted && claims !== 'none' && start > this.now && this.status === 'active');
    require(this.own(call, user) < 0 && this.askable(call, [user]).length > 0);
    const mode = claims === 'approval' ? 'approval' : 'first_come';
    const offer = this.offers.push({ call, mode, expires: start, waiting: [], waveSize: 0, nextWave: null }) - 1;
    this.ask(offer, [user]);
    this.takePlace(this.parts.at(-1)!, mode === 'approval', false);
  }

  // Swaps

  requestSwap(at: number, other: number | null, to: number | null): void {
    const shift = this.shifts[at]!;
    const isToCome = (each: PlainShift) =>
      each.status === 'active' && each.start > this.now && this.status === 'active';
    const wanted = other === null ? null : this.shifts[other]!;
    if (wanted !== null) {
      require(wanted.user !== shift.user && isToCome(wanted) && (wanted.call === null || wanted.call !== shift.call));
      require(!this.clashes(wanted.user, shift, [other!]) && !this.clashes(shift.user, wanted, [at]));
    }
    require(to === null || (to !== shift.user && !this.gone.has(to) && !this.clashes(to, shift)));
    require(isToCome(shift) && !this.isUnderSwap(at));
    this.swaps.push({
      ...{ shift: at, other, from: shift.user, to: wanted?.user ?? to, state: 'requested' },
      expires: Math.min(shift.start, wanted?.start ?? Infinity),
    });
  }

  private change(swap: PlainSwap, override: boolean): void {
    const ids = [swap.shift, ...(swap.other === null ? [] : [swap.other])];
    require(!this.gone.has(swap.from) && !this.gone.has(swap.to!));
    const given = [
      { shift: this.shifts[swap.shift]!, user: swap.to! },
      ...(swap.other === null ? [] : [{ shift: this.shifts[swap.other]!, user: swap.from }]),
    ];
    require(override || given.every(({ shift, user }) => !this.clashes(user, shift, ids)));
  }

  private complete(swap: PlainSwap): void {
    Object.assign(this.shifts[swap.shift]!, { user: swap.to, confirmed: true });
    if (swap.other !== null) Object.assign(this.shifts[swap.other]!, { user: swap.from, confirmed: true });
    swap.state = 'done';
  }

  take(at: number, user: number): void {
    const swap = this.swaps[at]!;
    const isOpenToAll = swap.to === null && swap.state === 'requested' && swap.expires > this.now;
    require(swap.from !== user && (swap.to === user || isOpenToAll));
    if (swap.state === 'taken' || swap.state === 'done') return;
    require(swap.state === 'requested' && swap.expires > this.now);
    swap.to = user;
    this.change(swap, false);
    if (this.approvesSwaps) swap.state = 'taken';
    else this.complete(swap);
  }

  approve(at: number, override: boolean): void {
    const swap = this.swaps[at]!;
    if (swap.state === 'done') return;
    require(swap.state === 'taken' && swap.expires > this.now);
    this.change(swap, override);
    this.complete(swap);
  }

  endSwap(at: number, to: 'refused' | 'canceled'): void {
    const swap = this.swaps[at]!;
    if (swap.state === to) return;
    require(isOpenSwap(swap) && swap.expires > this.now);
    swap.state = to;
  }

  // Call times, the event, people and the clock

  changeCall(at: number, changes: Partial<Pick<PlainCall, 'needed' | 'claims' | 'start' | 'end'>>): void {
    require(this.takesPlace() && !this.calls[at]!.isDeleted);
    Object.assign(this.calls[at]!, changes);
  }

  deleteCall(at: number): void {
    require(!this.calls[at]!.isDeleted && this.assigned(at) === 0);
    this.calls[at]!.isDeleted = true;
    for (const shift of this.shifts) if (shift.call === at) shift.call = null;
  }

  setStatus(status: PlainPlaces['status'], override: boolean): void {
    const isBack = !this.takesPlace() && status !== 'canceled';
    require(override || !isBack || this.conflicts().length === 0);
    this.status = status;
  }

  moveEvent(): void {
    require(!this.shifts.some((shift) => shift.status === 'active' && shift.end <= this.now));
    this.days += 1;
    for (const call of this.calls) for (const side of ['start', 'end'] as const) call[side] += 24 * hourMs;
    for (const shift of this.shifts.filter(({ end }) => end > this.now)) {
      for (const side of ['start', 'end'] as const) shift[side] += 24 * hourMs;
      shift.confirmed = false;
    }
  }

  leave(user: number): void {
    for (const shift of this.shifts)
      if (shift.user === user && shift.status === 'active' && shift.end > this.now)
        Object.assign(shift, { status: 'canceled', confirmed: false });
    this.gone.add(user);
  }

  /** The time passes, and the job of offers looks what is due. */
  pass(ms: number): void {
    this.now += ms;
    for (const swap of this.swaps) if (isOpenSwap(swap) && swap.expires <= this.now) swap.state = 'expired';
  }

  /** Pairs of shifts by which somebody works twice at once. */
  conflicts(): (readonly [number, number])[] {
    const active = [...this.shifts.entries()].filter(([, { status }]) => status === 'active');
    return active.flatMap(([one, a]) =>
      active.flatMap(([other, b]) =>
        one < other && a.user === b.user && shared(a, b) > 0 ? [[one, other] as const] : [],
      ),
    );
  }
}
