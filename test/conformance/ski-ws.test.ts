/** The scenarios under the profile `ski` over sockets. */
import { stage } from "./scenario.ts";
import "./scenarios/all.ts";

stage("ski", "ws");
