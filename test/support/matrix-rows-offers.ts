import * as answers from '../../src/services/offers-answers.ts';
import * as offers from '../../src/services/offers.ts';
import * as swaps from '../../src/services/swaps.ts';
import type { Row, Target } from './matrix.ts';

/* The rows of the matrix for offers and swaps. */

const send = ({ offer }: Target) => ({ call_time_uuid: offer.callTimeUuid, user_ids: [offer.unaskedId] });
const offerUuid = ({ offer: { uuid } }: Target) => uuid;
const sentUuid = ({ offer: { sentUuid: uuid } }: Target) => uuid;
const requestedUuid = ({ offer: { requestedUuid: uuid } }: Target) => uuid;
const declinedUuid = ({ offer: { declinedUuid: uuid } }: Target) => uuid;
const claimableUuid = ({ offer: { claimableUuid: uuid } }: Target) => uuid;

const ownSwap = ({ swap }: Target) => swap.ownUuid;
const askingSwap = ({ swap }: Target) => swap.askingUuid;
const takenSwap = ({ swap }: Target) => swap.takenUuid;

export const offerRouteRows: Record<string, Row> = {
  'POST /v1/offers': {
    calls: offers.send,
    input: send,
    namesRow: true,
    but: { "other business's admin": 'VALIDATION_FAILED' },
  },
  'GET /v1/offers': { calls: offers.list },
  'GET /v1/offers/{uuid}': { calls: offers.get, uuid: offerUuid },
  'POST /v1/offers/{uuid}/actions/withdraw': { calls: offers.withdraw, uuid: offerUuid },
  'GET /v1/offer_recipients': { calls: offers.listRecipients },
  'GET /v1/offer_recipients/{uuid}': { calls: offers.getRecipient, uuid: sentUuid },
  'POST /v1/offer_recipients/{uuid}/actions/accept': { calls: answers.accept, uuid: sentUuid, input: () => ({}) },
  'POST /v1/offer_recipients/{uuid}/actions/decline': { calls: answers.decline, uuid: sentUuid },
  'POST /v1/offer_recipients/{uuid}/actions/refuse': { calls: answers.refuse, uuid: requestedUuid, input: () => ({}) },
  'POST /v1/offer_recipients/{uuid}/actions/resend': { calls: answers.resend, uuid: declinedUuid, input: () => ({}) },
  'GET /v1/open_call_times': { calls: answers.listOpen },
  'POST /v1/open_call_times/{uuid}/actions/claim': { calls: answers.claim, uuid: claimableUuid },
  'POST /v1/shift_swaps': {
    calls: swaps.request,
    input: ({ swap }) => ({ shift_uuid: swap.swappableUuid }),
    namesRow: true,
  },
  'GET /v1/shift_swaps': { calls: swaps.list },
  'GET /v1/open_swaps': { calls: swaps.listOpen },
  'GET /v1/work_shifts/{uuid}/swap_options': { calls: swaps.listOptions, uuid: ({ swap }) => swap.swappableUuid },
  'GET /v1/shift_swaps/{uuid}': { calls: swaps.get, uuid: ownSwap },
  'POST /v1/shift_swaps/{uuid}/actions/take': { calls: swaps.take, uuid: askingSwap },
  'POST /v1/shift_swaps/{uuid}/actions/approve': { calls: swaps.approve, uuid: takenSwap, input: () => ({}) },
  'POST /v1/shift_swaps/{uuid}/actions/refuse': { calls: swaps.refuse, uuid: askingSwap, input: () => ({}) },
  'POST /v1/shift_swaps/{uuid}/actions/cancel': { calls: swaps.cancel, uuid: ownSwap },
};

const id = (uuidOf: (target: Target) => string) => (target: Target) => ({ id: uuidOf(target) });

export const offerFieldRows: Record<string, Row> = {
  offers: { calls: offers.list },
  offer: { calls: offers.get, input: id(offerUuid) },
  offerRecipient: { calls: offers.getRecipient, input: id(sentUuid) },
  offerRecipients: { calls: offers.listRecipients },
  openCallTimes: { calls: answers.listOpen },
  offerShift: {
    calls: offers.send,
    input: ({ offer }) => ({ callTimeId: offer.callTimeUuid, input: { userIds: [offer.unaskedId] } }),
    but: { "other business's admin": 'VALIDATION_FAILED' },
  },
  withdrawOffer: { calls: offers.withdraw, input: id(offerUuid) },
  acceptOffer: { calls: answers.accept, input: id(sentUuid) },
  declineOffer: { calls: answers.decline, input: id(sentUuid) },
  refuseOffer: { calls: answers.refuse, input: id(requestedUuid) },
  resendOffer: { calls: answers.resend, input: id(declinedUuid) },
  claimCallTime: { calls: answers.claim, input: id(claimableUuid) },
  shiftSwap: { calls: swaps.get, input: id(ownSwap) },
  shiftSwaps: { calls: swaps.list },
  openSwaps: { calls: swaps.listOpen },
  swapOptions: { calls: swaps.listOptions, input: ({ swap }) => ({ shiftId: swap.swappableUuid }) },
  requestSwap: { calls: swaps.request, input: ({ swap }) => ({ input: { shiftId: swap.swappableUuid } }) },
  takeSwap: { calls: swaps.take, input: id(askingSwap) },
  approveSwap: { calls: swaps.approve, input: id(takenSwap) },
  refuseSwap: { calls: swaps.refuse, input: id(askingSwap) },
  cancelSwap: { calls: swaps.cancel, input: id(ownSwap) },
};
