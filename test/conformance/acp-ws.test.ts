/** The scenarios under the profile `acp` over sockets. */
import { stage } from "./scenario.ts";
import "./scenarios/all.ts";

stage("acp", "ws");
