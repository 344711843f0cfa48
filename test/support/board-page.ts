/// <reference lib="dom" />
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { CallTime, Event, User } from '../../src/generated/prisma/client.ts';
import { ConsolePages, usePages, type PagesOptions } from './console.ts';
import type { Tenant } from './factories.ts';

/* Opens the board of a service in headless Chromium. */

/** Time zone of the events and of the browser. */
export const zone = 'America/New_York';
const hourMs = 3_600_000;

/** Wall-clock time of the zone, so many hours from now. */
export const wall = (hours: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(
    Math.floor(Date.now() / hourMs) * hourMs + hours * hourMs,
  );

interface Day extends Tenant {
  readonly event: Event;
  readonly call: CallTime;
  readonly ivy: User;
  readonly theo: User;
}

/** The board for the tests of one file: started before the first, checked after each, and stopped at the end. */
export const openBoard = (options: PagesOptions = {}): BoardPages =>
  usePages(new BoardPages(options, { timezoneId: zone }));

class BoardPages extends ConsolePages {
  override open(
    credential: string | null,
    path = '/board',
    options?: Parameters<ConsolePages['open']>[2],
  ): Promise<Page> {
    return super.open(credential, path, options);
  }

  /** A business with an event that runs now and lacks one of two bartenders: Ivy waits to confirm, Theo is free. */
  async createDay(plan?: 'free'): Promise<Day> {
    const tenant = await this.service.createTenant(plan);
    const { business, client } = tenant;
    await this.service.prisma.business.update({ where: { id: business.id }, data: { timezone: zone } });
    const [ivy, theo] = [
      await this.service.createUser(business, 'staff', { name: 'Ivy Green' }),
      await this.service.createUser(business, 'staff', { name: 'Theo Rossi' }),
    ];
    const position = await this.service.createPosition(business, { title: 'Bartender' });
    const event = await this.service.createEvent(business, {
      title: 'Harvest Dinner',
      clientId: client.id,
      venueName: 'The Old Granary',
      city: 'Madison',
      start: wall(-1),
      end: wall(5),
      timezone: zone,
    });
    const times = { start: wall(-2), end: wall(6), positionId: position.id };
    const call = await this.service.createCallTime(event, times);
    await this.service.createShift(event, ivy, { ...times, callTimeId: call.id });
    return { ...tenant, event, call, ivy, theo };
  }

  async mutate(as: string, query: string, variables: object = {}) {
    const { body } = await this.service.graphql(query, { as, variables });
    expect(body.errors).toBeUndefined();
    return body.data;
  }
}

export const card = (page: Page, title = 'Harvest Dinner') => page.getByRole('region', { name: title });
export const chip = (page: Page, name: string) => page.locator('.bd-chip', { hasText: name });
export const live = (page: Page) => page.locator('.bd-link-state[data-link=live]').waitFor();
export const search = (page: Page) => page.evaluate(() => location.search);
