/** The scenarios under the profile `ski` over standard input and output. */
import { stage } from "./scenario.ts";
import "./scenarios/all.ts";

stage("ski", "stdio");
