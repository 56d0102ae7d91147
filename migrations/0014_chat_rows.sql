-- expand
-- What chat_admit is asked, one for each request. `token_id` is the first id of the line of tokens that the request is
-- counted for, `bearer_id` the token that it was sent with.
create type :schema.chat_request as (
  hold_id         text,
  process_id      text,
  organization_id text,
  user_id         text,
  workspace_id    text,
  token_id        text,
  surface         text,
  request_id      text,
  model           text,
  provider        text,
  credential      text,
  input_tokens    bigint,
  -- What the call costs at least, if its usage is never reported.
  least_micros    bigint,
  bearer_id       text,
  -- Of the organization's settings, as in chat_version.
  version         bigint,
  -- Accepted requests of the user in a window; 0 for no limit.
  rate_limit      int,
  -- The amount to hold; 0 if an own key pays.
  micros          bigint,
  seat_budget     bigint,
  credit          bigint,
  -- Of the whole deployment per month; null for none.
  ceiling         bigint,
  -- Whether an own key pays and there are caps.
  checks_caps     boolean
);

-- What chat_settle is told of each request, up to `duration_ms`, and what it finds in the hold: whether it is of platform
-- credit, what it held and what of that is charged.
create type :schema.chat_settlement as (
  hold_id         text,
  organization_id text,
  user_id         text,
  workspace_id    text,
  token_id        text,
  surface         text,
  request_id      text,
  model           text,
  provider        text,
  credential      text,
  input_tokens    bigint,
  output_tokens   bigint,
  cost_micros     bigint,
  -- Whether anything was used; if not, the request is only logged.
  uses            boolean,
  -- Null if the request is not logged.
  status          int,
  first_token_ms  int,
  duration_ms     int,
  platform        boolean,
  month           date,
  seat_held       bigint,
  credit_held     bigint,
  month_held      bigint,
  seat            bigint,
  credit          bigint
);
