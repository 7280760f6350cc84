#!/bin/sh
echo from a script
