/** Values shared by the examples of the OpenAPI document, so that they are consistent. */
export const EXAMPLE = {
  post: 'post_01JWB5Q8M3T9X0K7V2N4P6R8SA',
  account: 'acc_01JWB4ZC7Y2Q5R8T1V3X6Z9B0D',
  at: '2026-05-31T07:00:00.000Z',
  video: 'vid_01JWB6N3R6V9Y2B5E8H1L4P7S0',
  media: 'med_01JWB6J2P5S8V1Y4B7E0H3L6N9',
  webhook: 'wh_01JWB6S7V0Y3B6E9H2L5P8S1V4',
  channel: 'chn_01JWB6W8A1D4G7K0N3R6V9Y2B5',
  event: 'evt_01JWB6W1Z4C7F0J3M6Q9T2W5Z8',
  secret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
  request: 'req_01JWB5Q8M3T9X0K7V2N4P6R8SA',
}
