import Type from 'typebox';
import type { RecipientRow } from '../fields/offers.ts';
import * as answers from '../services/offers-answers.ts';
import * as offers from '../services/offers.ts';
import { closedObject } from '../validation/schemas.ts';
import { answer, cursorPageOf, envelope, serializeCursorPage } from './envelopes.ts';
import { listErrorNames, pageQuery, repeatedQuery, splitListQuery } from './list-query.ts';
import {
  OfferItemView,
  OfferRecipientView,
  OfferView,
  OpenCallTimeView,
  serializeOffer,
  serializeOfferItem,
  serializeOpenCallTime,
  serializeRecipient,
} from './offers-views.ts';
import { route, type RestApp } from './route.ts';
import { OfVersion } from './versions.ts';
import { overrideErrorNames, overrideProperty, readNewOverride } from './work-shifts-input.ts';

const noun = { tag: 'Offers', isExtension: true } as const;

const offersQuery = Type.Object({ ...offers.offerFilter.properties, ...pageQuery });
const ofRecipients = repeatedQuery(offers.recipientFilter, 'states', pageQuery);

const oneOffer = (row: offers.OfferWithRecipients, message?: string) =>
  new OfVersion(row, answer(serializeOffer(row), message));
const onePart = (row: RecipientRow, message?: string) => new OfVersion(row, answer(serializeRecipient(row), message));

export function offerRoutes(app: RestApp): void {
  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/offers',
    calls: offers.list,
    summary: 'List offers and claims, the newest first',
    description: 'Those that nobody was asked by yet are listed, too. The people in one are in the offer itself.',
    query: offersQuery,
    errorNames: listErrorNames,
    response: envelope(cursorPageOf(OfferItemView)),
    handle: async (scope, { query }) => {
      const request = splitListQuery(query);
      return answer(await serializeCursorPage(await offers.list(scope, request), serializeOfferItem, request));
    },
  });

  route(app, {
    ...noun,
    method: 'POST',
    url: '/v1/offers',
    calls: offers.send,
    summary: 'Offer the places of a call time to people',
    description:
      'The event must be active. Those who are asked already, or work there, are passed over. With `wave_size`, some are asked at a time, in the order of `user_ids`, until the places are taken.',
    conflicts: true,
    body: offers.offerInput,
    // A call time of the demo data that is still to come on the day of the examples, and people who are free then.
    example: {
      call_time_uuid: '504c9e80-b3c6-41c8-846b-abe02ec79d9a',
      user_ids: [11, 12],
      message: 'Black shoes, please. Parking is paid.',
    },
    status: 201,
    created: '/v1/offers/:uuid',
    response: envelope(OfferView),
    handle: async (scope, { body }) => answer(serializeOffer(await offers.send(scope, body)), 'Offer sent.'),
  });

  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/offers/:uuid',
    calls: offers.get,
    summary: 'Read one offer with the people in it',
    params: offers.offerParams,
    etag: 'bytes',
    response: envelope(OfferView),
    handle: async (scope, { params }) => oneOffer(await offers.get(scope, params)),
  });

  route(app, {
    ...noun,
    method: 'POST',
    url: '/v1/offers/:uuid/actions/withdraw',
    calls: offers.withdraw,
    summary: 'Take an offer back from those who have not accepted',
    description: 'The body may be left out. Whoever has accepted keeps their shift.',
    params: offers.offerParams,
    body: closedObject(offers.withdrawFields),
    isBodyOptional: true,
    etag: 'row',
    ifMatch: true,
    example: { reason: 'The client needs fewer people.' },
    response: envelope(OfferView),
    handle: async (scope, { params, body, precondition }) =>
      oneOffer(await offers.withdraw(scope, { ...params, ...body, ...precondition }), 'Offer withdrawn.'),
  });

  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/offer_recipients',
    calls: offers.listRecipients,
    operationId: 'offers.listRecipients',
    summary: 'List who was asked to work and what they answered, the newest first',
    description:
      'All given conditions must hold, and `state` may be repeated. Staff see what they themselves were asked.',
    query: ofRecipients.query,
    errorNames: ofRecipients.errorNames,
    response: envelope(cursorPageOf(OfferRecipientView)),
    handle: async (scope, { query }) => {
      const request = ofRecipients.read(query);
      return answer(
        await serializeCursorPage(await offers.listRecipients(scope, request), serializeRecipient, request),
      );
    },
  });

  const part = {
    ...noun,
    params: offers.recipientParams,
    response: envelope(OfferRecipientView),
  } as const;

  route(app, {
    ...part,
    method: 'GET',
    url: '/v1/offer_recipients/:uuid',
    calls: offers.getRecipient,
    operationId: 'offers.getRecipient',
    summary: 'Read the part of one person in an offer',
    etag: 'bytes',
    handle: async (scope, { params }) => onePart(await offers.getRecipient(scope, params)),
  });

  const change = {
    ...part,
    method: 'POST',
    conflicts: true,
    etag: 'row',
    ifMatch: true,
    isBodyOptional: true,
  } as const;

  route(app, {
    ...change,
    url: '/v1/offer_recipients/:uuid/actions/accept',
    calls: answers.accept,
    summary: 'Accept an offer, or approve a request',
    description:
      'The state is then `accepted`, with a confirmed shift; `requested`, where an admin approves; or `waitlisted`, if all places are taken. Refused with 409 `OFFER_CLOSED` when it is too late, and with 409 `CLASH` if a rule is against it, unless an admin gives a reason in `override_reason`. The body may be left out.',
    body: closedObject(overrideProperty),
    example: {},
    errorNames: overrideErrorNames,
    handle: async (scope, { params, body, precondition }) =>
      onePart(await answers.accept(scope, { ...params, ...precondition, ...readNewOverride(body) }), 'Offer answered.'),
  });

  route(app, {
    ...change,
    url: '/v1/offer_recipients/:uuid/actions/decline',
    calls: answers.decline,
    summary: 'Decline an offer, or take back a request or a place on the waitlist',
    handle: async (scope, { params, precondition }) =>
      onePart(await answers.decline(scope, { ...params, ...precondition }), 'Offer declined.'),
  });

  route(app, {
    ...change,
    url: '/v1/offer_recipients/:uuid/actions/refuse',
    calls: answers.refuse,
    summary: 'Refuse a request',
    description: 'The body may be left out.',
    body: closedObject(answers.refuseFields),
    example: { reason: 'We have found somebody with more experience.' },
    handle: async (scope, { params, body, precondition }) =>
      onePart(await answers.refuse(scope, { ...params, ...body, ...precondition }), 'Request refused.'),
  });

  route(app, {
    ...change,
    url: '/v1/offer_recipients/:uuid/actions/resend',
    calls: answers.resend,
    summary: 'Ask somebody again who declined',
    description: 'The body may be left out.',
    body: closedObject(answers.resendFields),
    example: {},
    handle: async (scope, { params, body, precondition }) =>
      onePart(await answers.resend(scope, { ...params, ...body, ...precondition }), 'Offer sent again.'),
  });

  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/open_call_times',
    calls: answers.listOpen,
    summary: 'List the call times with open places that the calling staff member can claim, by start',
    description: 'Those in positions that they have worked in, or all if they have not worked yet.',
    query: Type.Object(pageQuery),
    errorNames: listErrorNames,
    response: envelope(cursorPageOf(OpenCallTimeView)),
    handle: async (scope, { query }) => {
      const { filter: _none, ...request } = splitListQuery(query);
      return answer(await serializeCursorPage(await answers.listOpen(scope, request), serializeOpenCallTime, request));
    },
  });

  route(app, {
    ...noun,
    method: 'POST',
    url: '/v1/open_call_times/:uuid/actions/claim',
    calls: answers.claim,
    summary: 'Claim a place of a call time for the calling staff member',
    description:
      'The state is then `accepted`, with a confirmed shift; `requested`, where an admin approves; or `waitlisted`, if all places are taken. Refused with 409 `CLASH` if a rule is against it.',
    conflicts: true,
    params: answers.claimParams,
    status: 201,
    created: '/v1/offer_recipients/:uuid',
    etag: 'row',
    response: envelope(OfferRecipientView),
    handle: async (scope, { params }) => onePart(await answers.claim(scope, params), 'Place claimed.'),
  });
}
